import { pipeline } from 'node:stream/promises';
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
  const { status, stream, unsent } = answer;
  const { req, res } = ctx;
  ctx.respond = false;
  res.writeHead(status, headers);
  if (stream === undefined || req.method === 'HEAD') {
    stream?.destroy();
    endAnswer(ctx);
    return;
  }
  const isBegun = watchSentBytes(res);
  try {
    await pipeline(stream, res);
  } catch (error) {
    stream.destroy();
    if (!isBegun()) unsent?.();
    throw error;
  }
}
