import { pipeline } from 'node:stream/promises';
import type { Rendered } from './attempt.js';
import { compressBody, mayCompress } from './compress-body.js';
import type { Exchange } from './exchange.js';
import type { Failure } from '../failure.js';
import { addHeaders, headersOf, type HeaderList } from './response-headers.js';

export const JSON_TYPE = 'application/json; charset=utf-8';
export const TEXT_TYPE = 'text/plain; charset=utf-8';

/** More headers of an answer: a list, as `headersOf` gives it. */
type More = readonly string[];

/**
 * Sends what a route answered; the HTTP status. Koa's own way of responding is not used: it sets headers one by one.
 * Rejects when a stream breaks off; the connection is gone then.
 */
export async function sendAnswer(exchange: Exchange, answer: Rendered, more: More): Promise<number> {
  const headers = headersOf(exchange);
  headers.push(...more);
  switch (answer.kind) {
    case 'json':
      addHeaders(headers, answer.headers);
      await sendJson(exchange, 200, { headers, body: answer.json });
      return 200;
    case 'text':
      sendText(exchange, 200, { headers, body: answer.text });
      return 200;
    case 'stream':
      addHeaders(headers, answer.headers);
      await sendStream(exchange, answer, headers);
      return answer.status;
  }
}

/** `{code, msg, …fields}`, or the message alone where the route answers in text. */
export async function sendFailure(exchange: Exchange, failure: Failure, more: More = []): Promise<void> {
  const headers = headersOf(exchange);
  headers.push(...more);
  addHeaders(headers, failure.headers);
  const { code, message: msg, fields, status } = failure;
  if (exchange.isText) sendText(exchange, status, { headers, body: `${msg}\n` });
  else await sendJson(exchange, status, { headers, body: JSON.stringify({ code, msg, ...fields }) });
}

/** Sends a document as it is. */
export async function sendJson(exchange: Exchange, status: number, message: Message): Promise<void> {
  const { ctx } = exchange;
  const { headers, body } = message;
  headers.push('Content-Type', JSON_TYPE, 'Vary', 'Accept-Encoding');
  const compressed = mayCompress(ctx, body) ? await compressBody(ctx, body) : undefined;
  if (compressed) headers.push('Content-Encoding', compressed.coding);
  end(exchange, status, { headers, body: compressed?.bytes ?? body });
}

/** Headers without a body. */
export function sendEmpty(exchange: Exchange, status: number, headers: HeaderList): void {
  exchange.ctx.respond = false;
  exchange.ctx.res.writeHead(status, headers).end();
}

interface Message {
  readonly headers: HeaderList;
  readonly body: string;
}

function sendText(exchange: Exchange, status: number, { headers, body }: Message): void {
  headers.push('Content-Type', TEXT_TYPE);
  end(exchange, status, { headers, body });
}

function end(
  { ctx }: Exchange,
  status: number,
  { headers, body }: { readonly headers: HeaderList; readonly body: string | Buffer },
): void {
  headers.push('Content-Length', String(Buffer.byteLength(body)));
  ctx.respond = false;
  ctx.res.writeHead(status, headers).end(ctx.req.method === 'HEAD' ? undefined : body);
}

/** A stream's backpressure, end and abort; an idle connection is closed by the server's own timeout. */
async function sendStream(
  { ctx }: Exchange,
  answer: Extract<Rendered, { kind: 'stream' }>,
  headers: HeaderList,
): Promise<void> {
  const { status, stream } = answer;
  ctx.respond = false;
  ctx.res.writeHead(status, headers);
  if (stream === undefined || ctx.req.method === 'HEAD') {
    stream?.destroy();
    ctx.res.end();
  } else {
    await pipeline(stream, ctx.res);
  }
}
