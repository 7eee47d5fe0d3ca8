import { STATUS_CODES } from 'node:http';
import type { Socket } from 'node:net';
import { SECURITY } from './response-headers.js';

/**
 * Sends a last answer and closes the connection. Reads and drops what the caller still sends for up to LINGER_MS:
 * closing a socket with unread input resets the connection, and the caller may lose the answer (RFC 9112 §9.6).
 */
export function endLingering(socket: Socket, answer: string): void {
  destroyAfter(socket, LINGER_MS);
  socket.on('error', () => socket.destroy());
  socket.end(answer);
  socket.resume();
}

const LINGER_MS = 1000;

/**
 * Sends a last answer and closes the connection after HOLD_MS, without reading from it. A caller who opens a new
 * connection for each one that ends must wait that long, and its connections count until then.
 */
export function endHolding(socket: Socket, answer: string): void {
  destroyAfter(socket, HOLD_MS);
  socket.write(answer);
  socket.pause();
}

const HOLD_MS = 5000;

function destroyAfter(socket: Socket, ms: number): void {
  const cut = setTimeout(() => socket.destroy(), ms).unref();
  socket.once('close', () => {
    clearTimeout(cut);
  });
}

/** An answer outside any route, in the envelope of all errors. */
interface LastAnswer {
  readonly status: number;
  /** X-Request-Id. */
  readonly id: string;
  /** The reason phrase of the status by default. */
  readonly msg?: string;
}

/** Returns the bytes of an answer that closes the connection. It has no limit headers. */
export function rawAnswer({ status, id, msg = STATUS_CODES[status]! }: LastAnswer): string {
  const body = JSON.stringify({ code: status, msg });
  const headers = ['X-Request-Id', id, ...SECURITY];
  headers.push('Content-Type', 'application/json; charset=utf-8');
  headers.push('Content-Length', String(Buffer.byteLength(body)), 'Connection', 'close');
  const lines = headers.flatMap((name, i) => (i % 2 === 0 ? [`${name}: ${headers[i + 1]!}`] : []));
  return [`HTTP/1.1 ${status} ${STATUS_CODES[status]!}`, ...lines, '', body].join('\r\n');
}
