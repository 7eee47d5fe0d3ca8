import {
  createServer,
  ServerResponse,
  STATUS_CODES,
  type IncomingMessage,
  type RequestListener,
  type Server,
} from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { newRequestIds } from './request-id.js';

/** Timeouts of a connection, in ms. */
export interface Patience {
  /** Until all headers have arrived. */
  readonly headersMs: number;
  /** Until the whole request has arrived. */
  readonly requestMs: number;
  /** Until the next request starts. */
  readonly keepAliveMs: number;
  /** Without a byte in either direction during a request. The longest call is silent for 51 s. */
  readonly idleMs: number;
  /** Interval of checking the first two. */
  readonly checkMs: number;
}

/** Timeouts of the public listener. */
export const PATIENCE: Patience = {
  headersMs: 10_000,
  requestMs: 30_000,
  keepAliveMs: 65_000,
  idleMs: 75_000,
  checkMs: 2000,
};

/** Limit of all header lines of a request. Node answers larger ones with 431. */
const HEADER_BYTES = 16 * 1024;

/**
 * Creates the HTTP server. Slow callers are disconnected, and malformed requests are answered in JSON. Requests without
 * a Host header are passed to `answer`.
 */
export function newHttpServer(answer: RequestListener, patience = PATIENCE): Server {
  const { headersMs, requestMs, keepAliveMs, idleMs, checkMs } = patience;
  const options = {
    maxHeaderSize: HEADER_BYTES,
    // Node's own 400 has none of our headers.
    requireHostHeader: false,
    headersTimeout: headersMs,
    requestTimeout: requestMs,
    keepAliveTimeout: keepAliveMs,
    connectionsCheckingInterval: checkMs,
  };
  const server = createServer(options, answer);
  server.timeout = idleMs;
  // RFC 9110 §10.1.1: an expectation may be ignored. Node's own 417 has none of our headers.
  server.on('checkExpectation', answer);
  // Node's own 100 Continue asks for a body before the call is admitted.
  server.on('checkContinue', answer);
  const requestId = newRequestIds();
  const lingering = new WeakSet<Socket>();
  server.on('clientError', (error: NodeJS.ErrnoException, socket: Socket) => {
    // Since Node 24 the parser reports an error again for everything that follows the malformed request.
    if (lingering.has(socket)) return;
    if (error.code === 'ECONNRESET' || !socket.writable) {
      socket.destroy();
      return;
    }
    lingering.add(socket);
    endLingering(socket, malformedAnswer(statusOf(error.code), requestId(undefined)));
  });
  return server;
}

/**
 * Sends a last answer and closes the connection. Reads and drops what the caller still sends for up to LINGER_MS:
 * closing a socket with unread input resets the connection, and the caller may lose the answer (RFC 9112 §9.6).
 */
function endLingering(socket: Socket, answer: string): void {
  const cut = setTimeout(() => socket.destroy(), LINGER_MS).unref();
  socket.once('close', () => {
    clearTimeout(cut);
  });
  socket.on('error', () => socket.destroy());
  socket.end(answer);
  socket.resume();
}

const LINGER_MS = 1000;

/** Accepts WebSockets on a path. */
export interface WebSocketDoor {
  readonly path: string;
  enter(req: IncomingMessage, socket: Duplex, head: Buffer): void;
}

/**
 * Passes WebSockets for a path to `door`. Other Upgrade headers, such as that of `curl --http2`, are ignored as RFC
 * 9110 §7.8 allows, and the request is answered. With a body it is refused, because Node does not read bodies here.
 */
export function takeUpgrades(server: Server, answer: RequestListener, door: WebSocketDoor): void {
  const requestId = newRequestIds();
  server.on('upgrade', (req, socket: Socket, head) => {
    const isWebSocket = req.headers.upgrade?.toLowerCase() === 'websocket';
    if (isWebSocket && req.url?.split('?', 1)[0] === door.path) {
      door.enter(req, socket, head);
      return;
    }
    socket.on('error', () => socket.destroy());
    if (req.method !== 'GET' && req.method !== 'HEAD') {
      endLingering(socket, malformedAnswer(400, requestId(undefined)));
      return;
    }
    const response = new ServerResponse(req);
    response.shouldKeepAlive = false;
    response.assignSocket(socket);
    response.once('finish', () => socket.end(() => socket.destroy()));
    answer(req, response);
  });
}

/**
 * Starts listening. Returns the URL, with `localhost` for all addresses. Rejects with the system error, such as
 * EADDRINUSE.
 */
export async function listen(server: Server, port: number, host: string | undefined): Promise<string> {
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen({ port, ...(host === undefined ? {} : { host }) }, () => {
      server.off('error', reject);
      resolve();
    });
  });
  const { address, port: taken, family } = server.address() as AddressInfo;
  if (EVERY_ADDRESS.includes(address)) return `http://localhost:${taken}`;
  return `http://${family === 'IPv6' ? `[${address}]` : address}:${taken}`;
}

/** Addresses of a server that listens on all addresses. */
const EVERY_ADDRESS: readonly string[] = ['::', '0.0.0.0'];

/** Stops accepting connections and waits for running requests. Aborts them after `capMs`. */
export async function drain(server: Server, capMs: number): Promise<void> {
  const closed = new Promise<void>((resolve) =>
    server.close(() => {
      resolve();
    }),
  );
  server.closeIdleConnections();
  // Answers that started earlier have announced keep-alive, so their connections become idle later.
  const sweep = setInterval(() => {
    server.closeIdleConnections();
  }, 100);
  const cut = setTimeout(() => {
    server.closeAllConnections();
  }, capMs);
  await closed;
  clearInterval(sweep);
  clearTimeout(cut);
}

function statusOf(code: string | undefined): number {
  if (code === 'HPE_HEADER_OVERFLOW') return 431;
  return code === 'ERR_HTTP_REQUEST_TIMEOUT' ? 408 : 400;
}

/** Returns the raw answer to a malformed request. Without a request there are no limit headers. */
function malformedAnswer(status: number, id: string): string {
  const reason = STATUS_CODES[status]!;
  const body = JSON.stringify({ code: status, msg: reason });
  return [
    `HTTP/1.1 ${status} ${reason}`,
    `X-Request-Id: ${id}`,
    'X-Content-Type-Options: nosniff',
    'Content-Type: application/json; charset=utf-8',
    `Content-Length: ${Buffer.byteLength(body)}`,
    'Connection: close',
    '',
    body,
  ].join('\r\n');
}
