import { LRUCache } from 'lru-cache';
import { STATUS_CODES, type IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';
import { WebSocketServer, type WebSocket } from 'ws';
import type { NodeCounts } from './node-counts.js';
import type { Admitted, NodeStore } from './node-store.js';
import { hashOfToken } from './node-token.js';
import { MAX_MESSAGE_BYTES } from './protocol.js';

/** What accepting nodes needs. */
export interface HandshakeParts {
  readonly store: Pick<NodeStore, 'admit'>;
  readonly counts: NodeCounts;
  readonly onAdmitted: (admitted: Admitted, socket: WebSocket) => void;
  readonly log: (line: string) => void;
}

/** An HTTP upgrade request. */
export interface UpgradeRequest {
  /** Bytes received after the request. */
  readonly head: Buffer;
  /** Key under which wrong tokens are counted. */
  readonly source: string;
  /** Returns alternating header names and values for a rejection. */
  readonly headers?: () => Promise<readonly string[]>;
}

/** Accepts connections of agents. Checks the token before the upgrade to WebSocket (RFC 6455 §4.2.2). */
export class NodeHandshake {
  readonly #webSockets = new WebSocketServer({
    noServer: true,
    clientTracking: false,
    perMessageDeflate: false,
    maxPayload: MAX_MESSAGE_BYTES,
  });
  readonly #failures = new Attempts(MAX_FAILURES);
  /** By hash of the token: a node that reconnects in a loop must not fill the log or displace its successor. */
  readonly #connections = new Attempts(MAX_CONNECTIONS);
  #isStopped = false;

  constructor(private readonly parts: HandshakeParts) {}

  /** Rejects all further connections, so that agents try another server. */
  stop(): void {
    this.#isStopped = true;
  }

  /**
   * Upgrades to WebSocket, or rejects: 401 wrong token, 429 too many wrong tokens from `source` or too many connections
   * of one node, 503 not accepting nodes at the moment.
   */
  async accept(
    req: IncomingMessage,
    socket: Duplex,
    { head, source, headers = noHeaders }: UpgradeRequest,
  ): Promise<void> {
    const ignore = (): void => undefined;
    socket.on('error', ignore);
    const admitted = await this.#admit(req, source);
    if (typeof admitted === 'number') refuse(socket, admitted, await headers());
    else {
      socket.off('error', ignore);
      this.#webSockets.handleUpgrade(req, socket, head, (webSocket) => {
        this.parts.onAdmitted(admitted, webSocket);
      });
    }
  }

  #mustRefuse(): boolean {
    return this.#isStopped;
  }

  async #admit(req: IncomingMessage, source: string): Promise<Admitted | 401 | 429 | 503> {
    if (this.#mustRefuse()) return 503;
    if (this.#failures.isTooMany(source)) return this.#refused(429);
    const [, token = ''] = /^Bearer ([\w]{1,100})$/i.exec(req.headers.authorization ?? '') ?? [];
    const hash = hashOfToken(token);
    if (this.#connections.isTooMany(hash)) return this.#refused(429);
    try {
      const admitted = await this.parts.store.admit(token);
      if (this.#mustRefuse()) return 503;
      if (admitted !== undefined) {
        this.#connections.add(hash);
        return admitted;
      }
    } catch (error) {
      this.parts.log(`node not admitted: ${error instanceof Error ? error.message : String(error)}`);
      return 503;
    }
    this.#failures.add(source);
    return this.#refused(401);
  }

  #refused<Status>(status: Status): Status {
    this.parts.counts.add('refused_handshake');
    return status;
  }
}

/** Counts attempts per key. */
class Attempts {
  readonly #counts = new LRUCache<string, number>({ max: 10_000, ttl: WINDOW_MS });

  constructor(private readonly limit: number) {}

  isTooMany(key: string): boolean {
    return (this.#counts.get(key) ?? 0) >= this.limit;
  }

  /** Counts one attempt. The window starts with the first one. */
  add(key: string): void {
    const count = this.#counts.get(key) ?? 0;
    if (count === 0) this.#counts.set(key, 1);
    else this.#counts.set(key, count + 1, { ttl: Math.max(1, this.#counts.getRemainingTTL(key)) });
  }
}

/** Wrong tokens per window after which a source is rejected without looking at its token. */
const MAX_FAILURES = 20;
/** Connections of one node per window. Agents wait for half a minute on average. */
const MAX_CONNECTIONS = 30;
const WINDOW_MS = 60_000;

const MESSAGES = {
  401: 'invalid node token',
  429: 'too many invalid tokens or connections',
  503: 'no nodes are accepted at the moment',
} as const;

const noHeaders = (): Promise<readonly string[]> => Promise.resolve([]);

function refuse(socket: Duplex, status: 401 | 429 | 503, headers: readonly string[]): void {
  const body = JSON.stringify({ code: status, msg: MESSAGES[status] });
  const lines = [
    `HTTP/1.1 ${status} ${STATUS_CODES[status] ?? ''}`,
    ...headers.flatMap((name, i) => (i % 2 === 0 ? [`${name}: ${headers[i + 1] ?? ''}`] : [])),
    ...(status === 429 ? ['Retry-After: 60'] : []),
    ...(status === 401 ? ['WWW-Authenticate: Bearer'] : []),
    'Content-Type: application/json; charset=utf-8',
    `Content-Length: ${Buffer.byteLength(body)}`,
    'Connection: close',
  ];
  socket.end([...lines, '', body].join('\r\n'), () => socket.destroy());
}
