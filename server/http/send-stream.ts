import { pipeline } from 'node:stream/promises';
import { constants, createGzip } from 'node:zlib';
import { acceptsCoding } from './coding.js';
import type { Exchange } from './exchange.js';
import type { Rendered } from './prepared-answer.js';
import type { HeaderList } from './response-headers.js';
import { watchSentBytes } from './sent-bytes.js';
import { endAnswer } from './unread-body.js';

/**
 * Sends a stream with backpressure. The server's timeout closes idle connections. Rejects when the stream or the
 * connection breaks off.
 */
export async function sendStream(
  { ctx }: Exchange,
  answer: Extract<Rendered, { kind: 'stream' }>,
  headers: HeaderList,
): Promise<void> {
  const { status, stream, unsent, isCompressible = false } = answer;
  const { req, res } = ctx;
  ctx.respond = false;
  const isGzip = isCompressible && acceptsCoding(ctx.req, 'gzip');
  if (isCompressible) headers.push('Vary', 'Accept-Encoding');
  if (isGzip) headers.push('Content-Encoding', 'gzip');
  res.writeHead(status, headers);
  if (stream === undefined || req.method === 'HEAD') {
    stream?.destroy();
    endAnswer(ctx);
    return;
  }
  const isBegun = watchSentBytes(res);
  try {
    if (isGzip) await pipeline(stream, createGzip({ flush: constants.Z_SYNC_FLUSH }), res);
    else await pipeline(stream, res);
  } catch (error) {
    stream.destroy();
    if (!isBegun()) unsent?.();
    throw error;
  }
}
