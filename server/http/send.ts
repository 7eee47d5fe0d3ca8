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

/** A message on its way; absent when it has been handed to the socket already. */
export type Sending = Promise<void> | undefined;

/**
 * Sends what a route answered. Koa's own way of responding is not used: it sets headers one by one. Rejects when a
 * stream breaks off; the connection is gone then.
 */
export function sendAnswer(exchange: Exchange, answer: Rendered, more: More): Sending {
  const headers = headersOf(exchange);
  headers.push(...more);
  switch (answer.kind) {
    case 'json':
      addHeaders(headers, answer.headers);
      return sendJson(exchange, 200, { headers, body: answer.json });
    case 'text':
      sendText(exchange, 200, { headers, body: answer.text });
      return undefined;
    case 'stream':
      addHeaders(headers, answer.headers);
      return sendStream(exchange, answer, headers);
  }
}

/** `{code, msg, …fields}`, or the message alone where the route answers in text. */
export function sendFailure(exchange: Exchange, failure: Failure, more: More = []): Sending {
  const headers = headersOf(exchange);
  headers.push(...more);
  addHeaders(headers, failure.headers);
  const { code, message: msg, fields, status } = failure;
  if (!exchange.isText)
    return sendJson(exchange, status, { headers, body: JSON.stringify({ code, msg, ...fields }) });
  sendText(exchange, status, { headers, body: `${msg}\n` });
  return undefined;
}

/** Sends a document as it is. */
export function sendJson(exchange: Exchange, status: number, message: Message): Sending {
  const { headers, body } = message;
  headers.push('Content-Type', JSON_TYPE, 'Vary', 'Accept-Encoding');
  if (mayCompress(exchange.ctx, body)) return sendCompressed(exchange, status, message);
  end(exchange, status, message);
  return undefined;
}

async function sendCompressed(exchange: Exchange, status: number, { headers, body }: Message): Promise<void> {
  const compressed = await compressBody(exchange.ctx, body);
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
  const bytes = Buffer.byteLength(body);
  headers.push('Content-Length', String(bytes));
  ctx.respond = false;
  const { res } = ctx;
  res.writeHead(status, headers);
  if (ctx.req.method === 'HEAD') res.end();
  // ASCII, which Node copies to the socket as it is when it is told.
  else if (bytes === body.length) res.end(body, 'latin1');
  else res.end(body);
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
