import { bodyParser } from '@koa/bodyparser';
import type { Context } from 'koa';
import { Failure } from '../failure.js';

/** The largest body that is read. */
export const BODY_LIMIT_BYTES = 256 * 1024;

/** Levels of arrays and objects: what is deeper would overflow the stack of whoever writes it as JSON again. */
const DEEPEST = 32;

const NOTHING = (): Promise<void> => Promise.resolve();

const readJson = bodyParser({
  enableTypes: ['json'],
  // Some clients forget the content type, and there is nothing else that a body could be.
  detectJSON: () => true,
  jsonLimit: BODY_LIMIT_BYTES,
});

/** The JSON a request carries, or the Failure that takes its place in the order of checks: 413 or 400. */
export async function readBody(ctx: Context): Promise<unknown> {
  try {
    await readJson(ctx, NOTHING);
    const { body } = ctx.request;
    return isNestedWithin(body, DEEPEST) ? body : new Failure(400, 'the body is nested too deeply');
  } catch (error) {
    if (statusOf(error) === 413) return new Failure(413, `the body is larger than ${BODY_LIMIT_BYTES} bytes`);
    if (statusOf(error) === undefined && !(error instanceof SyntaxError)) throw error;
    return new Failure(400, 'the body is not valid JSON');
  }
}

/** raw-body, co-body and inflation mark what the client did wrong by an HTTP status. */
function statusOf(error: unknown): number | undefined {
  return error instanceof Error && 'status' in error && typeof error.status === 'number'
    ? error.status
    : undefined;
}

function isNestedWithin(value: unknown, levels: number): boolean {
  if (typeof value !== 'object' || value === null) return true;
  return levels > 0 && Object.values(value).every((inner) => isNestedWithin(inner, levels - 1));
}
