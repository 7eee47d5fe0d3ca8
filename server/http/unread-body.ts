import type { IncomingMessage } from 'node:http';
import type { Context } from './exchange.js';

/** How long the rest of a body is awaited after the answer, in ms. */
const REST_MS = 1000;

/** A longer rest is not read: the connection closes after the answer. */
const SHORT_REST_BYTES = 16 * 1024;

/** Returns whether a request has a body of which a part has not arrived yet. */
function hasRest(req: IncomingMessage): boolean {
  if (req.complete) return false;
  const { 'content-length': length, 'transfer-encoding': coding } = req.headers;
  return coding !== undefined || (length !== undefined && length !== '0');
}

/**
 * Returns whether the connection must close after the answer, because the rest of the body is long, of unknown length,
 * slow, or awaits an interim answer (RFC 9110 §10.1.1).
 */
export function mustCloseAfter(req: IncomingMessage): boolean {
  if (!hasRest(req)) return false;
  const { 'content-length': length, expect } = req.headers;
  const isShort = length !== undefined && Number(length) <= SHORT_REST_BYTES;
  return !isShort || expect !== undefined || req.readableDidRead;
}

/**
 * Writes the body of an answer and ends it. If a part of the request's body has not arrived, a short rest is first read
 * and dropped, because the next request begins after it. With a long rest the connection stays open for a moment, as
 * closing a socket with unread input resets the connection and the caller may lose the answer (RFC 9112 §9.6).
 */
export function endAnswer(
  { req, res }: Context,
  body?: string | Buffer,
  encoding: BufferEncoding = 'utf8',
): void {
  if (!hasRest(req)) {
    // Without a body, `end` alone sends the headers.
    if (body === undefined) res.end();
    else res.end(body, encoding);
    return;
  }
  if (body === undefined) res.flushHeaders();
  else res.write(body, encoding);
  const cut = setTimeout(() => req.socket.destroy(), REST_MS);
  req.once('close', () => {
    clearTimeout(cut);
    res.end();
  });
  req.on('error', () => undefined);
  if (mustCloseAfter(req)) req.pause();
  else req.resume();
}
