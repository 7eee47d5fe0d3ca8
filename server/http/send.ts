import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import { bytesOf, type ByteText } from '../byte-text.js';
import type { Rendered } from './prepared-answer.js';
import type { Context, Exchange } from './exchange.js';
import type { Failure } from '../failure.js';
import { HTML_TYPE } from './html-type.js';
import { addHeaders, headersOf, replaceHeaders, type HeaderList } from './response-headers.js';
import { codingFor } from './coding.js';
import { sendStream } from './send-stream.js';
import { endAnswer } from './unread-body.js';

/** Content-Type of JSON. */
export const JSON_TYPE = 'application/json; charset=utf-8';

const TEXT_TYPE = 'text/plain; charset=utf-8';

/** Additional headers, in the form of `headersOf`. */
type More = readonly string[];

/** Pending output. Undefined when everything was written to the socket. */
export type Sending = Promise<void> | undefined;

/**
 * Sends the answer of a route. Bypasses Koa's responder, which sets headers one by one. Rejects when a stream or the
 * connection breaks off.
 */
export function sendAnswer(exchange: Exchange, answer: Rendered, more: More): Sending {
  const headers = headersOf(exchange);
  headers.push(...more);
  switch (answer.kind) {
    case 'json':
      addHeaders(headers, answer.headers);
      return sendJson(exchange, 200, { headers, body: answer.json });
    case 'encoded':
      return sendEncoded(exchange, headers, answer.json);
    case 'page':
      replaceHeaders(headers, answer.headers);
      return sendCompressible(exchange, 200, { headers, body: answer.html, type: HTML_TYPE });
    case 'text':
      sendText(exchange, 200, { headers, body: answer.text });
      return undefined;
    case 'stream':
      addHeaders(headers, answer.headers);
      return sendStream(exchange, answer, headers);
  }
}

/** Sends a failure: `{code, msg, …fields}`, or only the message on routes that answer in text. */
export function sendFailure(exchange: Exchange, failure: Failure, more: More = []): Sending {
  const headers = headersOf(exchange);
  headers.push(...more);
  addHeaders(headers, failure.headers);
  const { code, message: msg, fields } = failure;
  const status = statusOfFailure(exchange, failure);
  if (exchange.failurePage !== undefined) {
    const body = exchange.failurePage(failure, exchange.ctx.req);
    return sendCompressible(exchange, status, { headers, body, type: HTML_TYPE });
  }
  if (!exchange.isText)
    return sendJson(exchange, status, { headers, body: JSON.stringify({ code, msg, ...fields }) });
  sendText(exchange, status, { headers, body: `${msg}\n` });
  return undefined;
}

/** Returns the HTTP status of a failure on the route of an exchange. */
export function statusOfFailure(
  { failsWithStatus }: Pick<Exchange, 'failsWithStatus'>,
  { code, status }: Failure,
): number {
  return failsWithStatus === true ? code : status;
}

/** Sends JSON text, compressed if the caller accepts it. */
export function sendJson(exchange: Exchange, status: number, message: Message): Sending {
  return sendCompressible(exchange, status, { ...message, type: JSON_TYPE });
}

function sendCompressible(
  exchange: Exchange,
  status: number,
  message: Message & { readonly type: string },
): Sending {
  const { headers, body, type } = message;
  headers.push('Content-Type', type, 'Vary', 'Accept-Encoding');
  if (mayCompress(exchange.ctx, body)) return sendCompressed(exchange, status, message);
  end(exchange, status, message);
  return undefined;
}

/** Sends JSON that is already encoded, compressed if the caller accepts it. */
function sendEncoded(exchange: Exchange, headers: HeaderList, json: ByteText): Sending {
  headers.push('Content-Type', JSON_TYPE, 'Vary', 'Accept-Encoding');
  if (mayCompress(exchange.ctx, json)) return sendCompressed(exchange, 200, { headers, body: bytesOf(json) });
  headers.push('Content-Length', String(json.length));
  write(exchange, 200, { headers, body: json, encoding: 'latin1' });
  return undefined;
}

async function sendCompressed(
  exchange: Exchange,
  status: number,
  { headers, body }: { readonly headers: HeaderList; readonly body: string | Buffer },
): Promise<void> {
  const compressed = await compress(exchange.ctx, body);
  if (compressed) headers.push('Content-Encoding', compressed.coding);
  end(exchange, status, { headers, body: compressed?.bytes ?? body });
}

/** Sends headers without a body. */
export function sendEmpty(exchange: Exchange, status: number, headers: HeaderList): void {
  exchange.ctx.respond = false;
  exchange.ctx.res.writeHead(status, headers);
  endAnswer(exchange.ctx);
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
  exchange: Exchange,
  status: number,
  { headers, body }: { readonly headers: HeaderList; readonly body: string | Buffer },
): void {
  const bytes = Buffer.byteLength(body);
  headers.push('Content-Length', String(bytes));
  // For ASCII, `latin1` lets Node copy the text without encoding it.
  write(exchange, status, { headers, body, encoding: bytes === body.length ? 'latin1' : 'utf8' });
}

function write(
  { ctx }: Exchange,
  status: number,
  message: {
    readonly headers: HeaderList;
    readonly body: string | Buffer;
    readonly encoding: 'latin1' | 'utf8';
  },
): void {
  ctx.respond = false;
  ctx.res.writeHead(status, message.headers);
  if (ctx.req.method === 'HEAD') endAnswer(ctx);
  else endAnswer(ctx, message.body, message.encoding);
}

/** Smaller bodies fit a packet or two, and compressing them costs more than sending. */
const SMALLEST_COMPRESSED_BYTES = 2048;

const brotliAsync = promisify(brotliCompress);
const gzipAsync = promisify(gzip);

/** Returns whether a JSON body is large enough to compress and the caller accepts codings. */
function mayCompress({ req }: Context, json: string): boolean {
  return json.length >= SMALLEST_COMPRESSED_BYTES && req.headers['accept-encoding'] !== undefined;
}

/**
 * Compresses JSON or HTML in the best coding that the caller accepts (RFC 9110 §12.5.3). Nothing else is compressed
 * (decision 40).
 */
async function compress(
  ctx: Context,
  json: string | Buffer,
): Promise<{ readonly coding: 'br' | 'gzip'; readonly bytes: Buffer } | undefined> {
  const coding = codingFor(ctx.req);
  if (coding === 'br') {
    const params = { [constants.BROTLI_PARAM_QUALITY]: 4 };
    return { coding: 'br', bytes: await brotliAsync(json, { params }) };
  }
  return coding && { coding: 'gzip', bytes: await gzipAsync(json, { level: 3 }) };
}
