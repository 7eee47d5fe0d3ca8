import { bodyParser } from '@koa/bodyparser';
import type { Context } from 'koa';
import { Failure } from '../failure.js';

/** Limit of a request body. */
export const BODY_LIMIT_BYTES = 256 * 1024;

/** Limit of nested arrays and objects. Deeper ones would overflow the stack when they are encoded again. */
const DEEPEST = 32;

const NOTHING = (): Promise<void> => Promise.resolve();

const readJson = bodyParser({
  enableTypes: ['json'],
  // Some clients send no content type. Every body is JSON.
  detectJSON: () => true,
  jsonLimit: BODY_LIMIT_BYTES,
});

/** Reads the JSON body of a request. Returns Failure(413) or Failure(400) when it cannot be read. */
export async function readBody(ctx: Context): Promise<unknown> {
  try {
    await readJson(ctx, NOTHING);
    const { body } = ctx.request;
    return isNestedWithin(body, DEEPEST)
      ? body
      : new Failure(400, `the body has more than ${DEEPEST} levels`);
  } catch (error) {
    if (statusOf(error) === 413) return new Failure(413, `the body exceeds ${BODY_LIMIT_BYTES} bytes`);
    if (statusOf(error) === undefined && !(error instanceof SyntaxError)) throw error;
    return new Failure(400, 'the body is not valid JSON');
  }
}

/** Returns the HTTP status by which raw-body, co-body and inflation mark client errors. */
function statusOf(error: unknown): number | undefined {
  return error instanceof Error && 'status' in error && typeof error.status === 'number'
    ? error.status
    : undefined;
}

function isNestedWithin(value: unknown, levels: number): boolean {
  if (typeof value !== 'object' || value === null) return true;
  return levels > 0 && Object.values(value).every((inner) => isNestedWithin(inner, levels - 1));
}
