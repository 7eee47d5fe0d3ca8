import { pipeline } from 'node:stream/promises';
import type { Context } from 'koa';
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
  const lost = closedInTurn(ctx);
  try {
    await Promise.race([pipeline(stream, res), lost.closed]);
  } catch (error) {
    stream.destroy();
    if (!isBegun()) unsent?.();
    throw error;
  } finally {
    lost.forget();
  }
}

/**
 * Rejects when the connection closes while a pipelined answer waits for the answers before it. Node reports the close
 * only to the answer whose turn it is.
 */
function closedInTurn({ req, res }: Context): {
  readonly closed: Promise<never>;
  readonly forget: () => void;
} {
  const { socket } = req;
  let forget = (): void => undefined;
  const closed = new Promise<never>((_, reject) => {
    const check = (): void => {
      const error = new Error('the caller closed the connection');
      if (res.socket === null) reject(Object.assign(error, { code: 'ERR_STREAM_PREMATURE_CLOSE' }));
    };
    if (socket.destroyed) check();
    else socket.once('close', check);
    forget = () => socket.off('close', check);
  });
  return { closed, forget };
}
