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

/** How long a connection may take for what, in ms. */
export interface Patience {
  /** Until all headers are there. */
  readonly headersMs: number;
  /** Until the whole request is there. */
  readonly requestMs: number;
  /** Until the next request begins. */
  readonly keepAliveMs: number;
  /** Without a byte in either direction while a request is answered; the longest work takes 51 s in silence. */
  readonly idleMs: number;
  /** How often the first two are looked after. */
  readonly checkMs: number;
}

export const PATIENCE: Patience = {
  headersMs: 10_000,
  requestMs: 30_000,
  keepAliveMs: 65_000,
  idleMs: 75_000,
  checkMs: 2000,
};

/** All header lines of a request together; Node answers more with 431. */
const HEADER_BYTES = 16 * 1024;

/**
 * A server that does not wait for slow callers, and answers what is no HTTP in JSON too. A request without a Host reaches
 * `answer`.
 */
export function newHttpServer(answer: RequestListener, patience = PATIENCE): Server {
  const { headersMs, requestMs, keepAliveMs, idleMs, checkMs } = patience;
  const options = {
    maxHeaderSize: HEADER_BYTES,
    // Node's own 400 would come without any of our headers.
    requireHostHeader: false,
    headersTimeout: headersMs,
    requestTimeout: requestMs,
    keepAliveTimeout: keepAliveMs,
    connectionsCheckingInterval: checkMs,
  };
  const server = createServer(options, answer);
  server.timeout = idleMs;
  // RFC 9110 §10.1.1: an expectation may be ignored. Node's own 417 would come without any of our headers.
  server.on('checkExpectation', answer);
  const requestId = newRequestIds();
  server.on('clientError', (error: NodeJS.ErrnoException, socket: Socket) => {
    if (error.code === 'ECONNRESET' || !socket.writable) socket.destroy();
    else socket.end(malformedAnswer(statusOf(error.code), requestId(undefined)), () => socket.destroy());
  });
  return server;
}

/** What takes WebSockets. */
export interface WebSocketDoor {
  readonly path: string;
  enter(req: IncomingMessage, socket: Duplex, head: Buffer): void;
}

/**
 * Sends WebSockets for a path there. Every other wish for another protocol is left unheard, as RFC 9110 §7.8 allows, and
 * the request answered like any other: `curl --http2` sends one along. With a body it is refused, as Node reads none here.
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
      socket.end(malformedAnswer(400, requestId(undefined)), () => socket.destroy());
      return;
    }
    const response = new ServerResponse(req);
    response.shouldKeepAlive = false;
    response.assignSocket(socket);
    response.once('finish', () => socket.end(() => socket.destroy()));
    answer(req, response);
  });
}

/** Listens; the address as a URL, `localhost` where it is every one. Rejects with what the system said: EADDRINUSE, EACCES and the like. */
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

/** What a server listens on that was told no host. */
const EVERY_ADDRESS: readonly string[] = ['::', '0.0.0.0'];

/** Takes no more connections and waits for running requests, at most for `capMs`; then they are cut off. */
export async function drain(server: Server, capMs: number): Promise<void> {
  const closed = new Promise<void>((resolve) =>
    server.close(() => {
      resolve();
    }),
  );
  server.closeIdleConnections();
  // Streams that began earlier have promised to keep their connection.
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

/** There is no request yet, and so no limits to tell. */
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
