import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import type { Context } from 'koa';

/** Below this a body fits a packet or two, and compressing costs more than sending. */
const SMALLEST_BYTES = 2048;

const brotliAsync = promisify(brotliCompress);
const gzipAsync = promisify(gzip);

/** A body in the best coding that the caller takes, RFC 9110 §12.5.3; absent when it goes as it is. */
export interface CompressedBody {
  readonly coding: 'br' | 'gzip';
  readonly bytes: Buffer;
}

/** Compresses JSON; nothing else is worth it or may be (ruling 40). */
export async function compressBody(ctx: Context, json: string): Promise<CompressedBody | undefined> {
  if (ctx.acceptsEncodings('br') === 'br') {
    const params = { [constants.BROTLI_PARAM_QUALITY]: 4 };
    return { coding: 'br', bytes: await brotliAsync(json, { params }) };
  }
  if (ctx.acceptsEncodings('gzip') !== 'gzip') return undefined;
  return { coding: 'gzip', bytes: await gzipAsync(json, { level: 3 }) };
}

/** Whether compressBody is to be asked. */
export function mayCompress({ req }: Context, json: string): boolean {
  return json.length >= SMALLEST_BYTES && req.headers['accept-encoding'] !== undefined;
}
