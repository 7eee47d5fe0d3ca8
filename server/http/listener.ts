import { createServer, type RequestListener, type Server, type ServerOptions } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { admitConnections, type OnRefused } from './admit-connections.js';
import { ConnectionInputs, MOST_UNANSWERED } from './connection-input.js';
import type { OpenConnections } from './connection-limits.js';
import { hasTooManyLines, MOST_HEADER_LINES } from './header-lines.js';
import { endHolding, endLingering, rawAnswer } from './last-answer.js';
import { newRequestIds, type RequestIds } from './request-id.js';
import { takeConnects, takeUpgrades, type WebSocketEndpoint } from './upgrades.js';

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

/** Options of the HTTP server. */
export interface ListenerOptions {
  readonly patience?: Patience;
  /** Limits open connections. By default there is no limit. */
  readonly connections?: OpenConnections;
  /** Receives the connections that are refused or ended. */
  readonly onRefused?: OnRefused;
  /** Accepts WebSockets. By default Upgrade headers are ignored. */
  readonly webSockets?: WebSocketEndpoint;
  /** How long all connections are parsed in pieces after one was ended for its unanswered requests. */
  readonly alertMs?: number;
}

/**
 * Creates the HTTP server. Slow callers are disconnected, malformed requests are answered in JSON, and connections and
 * their unanswered requests are limited. Requests without a Host header are passed to `answer`.
 */
export function newHttpServer(answer: RequestListener, options: ListenerOptions = {}): Server {
  const { patience = PATIENCE, connections, webSockets, alertMs, onRefused = () => undefined } = options;
  const requestId = newRequestIds();
  const inputs = new ConnectionInputs({
    answer: (req, res) => {
      if (hasTooManyLines(req))
        endLingering(req.socket, rawAnswer({ status: 431, id: requestId(undefined) }));
      else answer(req, res);
    },
    onExceeded: (socket) => {
      onRefused('pipelining', socket);
    },
    end: (socket) => {
      endHolding(socket, rawAnswer({ status: 429, id: requestId(undefined), msg: TOO_MANY_UNANSWERED }));
    },
    alertMs,
  });
  const server = createServer(nodeOptionsOf(patience), inputs.request);
  server.timeout = patience.idleMs;
  // One more than the limit, so that a request beyond it is recognised.
  server.maxHeadersCount = MOST_HEADER_LINES + 1;
  // RFC 9110 §10.1.1: an expectation may be ignored. Node's own 417 has none of our headers.
  server.on('checkExpectation', inputs.request);
  // Node's own 100 Continue asks for a body before the call is admitted.
  server.on('checkContinue', inputs.request);
  answerClientErrors(server, inputs, requestId);
  admitConnections(server, { connections, inputs, onRefused, requestId });
  takeConnects(server, { answer, inputs, requestId });
  if (webSockets !== undefined) takeUpgrades(server, webSockets, { answer, inputs, requestId });
  return server;
}

const TOO_MANY_UNANSWERED = `more than ${MOST_UNANSWERED} unanswered requests on one connection`;

function nodeOptionsOf({ headersMs, requestMs, keepAliveMs, checkMs }: Patience): ServerOptions {
  return {
    maxHeaderSize: HEADER_BYTES,
    // Node's own 400 has none of our headers.
    requireHostHeader: false,
    headersTimeout: headersMs,
    requestTimeout: requestMs,
    keepAliveTimeout: keepAliveMs,
    connectionsCheckingInterval: checkMs,
  };
}

function answerClientErrors(server: Server, inputs: ConnectionInputs, requestId: RequestIds): void {
  const lingering = new WeakSet<Socket>();
  server.on('clientError', (error: NodeJS.ErrnoException, socket: Socket) => {
    // Since Node 24 the parser reports an error again for everything that follows the malformed request.
    if (lingering.has(socket)) return;
    if (error.code === 'ECONNRESET' || !socket.writable) {
      socket.destroy();
      return;
    }
    lingering.add(socket);
    inputs.finish(socket, () => {
      endLingering(socket, rawAnswer({ status: statusOf(error.code), id: requestId(undefined) }));
    });
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
