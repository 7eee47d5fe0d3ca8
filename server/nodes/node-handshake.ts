import { LRUCache } from 'lru-cache';
import { STATUS_CODES, type IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';
import { WebSocketServer, type WebSocket } from 'ws';
import type { NodeCounts } from './node-counts.js';
import type { Admitted, NodeStore } from './node-store.js';
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
  readonly #failures = new FailedAttempts();
  #isStopped = false;

  constructor(private readonly parts: HandshakeParts) {}

  /** Rejects all further connections, so that agents try another server. */
  stop(): void {
    this.#isStopped = true;
  }

  /**
   * Upgrades to WebSocket, or rejects: 401 wrong token, 429 too many wrong tokens from `source`, 503 not accepting
   * nodes at the moment.
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
    try {
      const admitted = await this.parts.store.admit(token);
      if (this.#mustRefuse()) return 503;
      if (admitted !== undefined) return admitted;
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

/** Counts wrong tokens per source. */
class FailedAttempts {
  readonly #counts = new LRUCache<string, number>({ max: 10_000, ttl: FAILURE_WINDOW_MS });

  isTooMany(source: string): boolean {
    return (this.#counts.get(source) ?? 0) >= MAX_FAILURES;
  }

  /** Counts one failure. The window starts with the first one. */
  add(source: string): void {
    const count = this.#counts.get(source) ?? 0;
    if (count === 0) this.#counts.set(source, 1);
    else this.#counts.set(source, count + 1, { ttl: Math.max(1, this.#counts.getRemainingTTL(source)) });
  }
}

/** Wrong tokens per window after which a source is rejected without looking at its token. */
const MAX_FAILURES = 20;
const FAILURE_WINDOW_MS = 60_000;

const MESSAGES = {
  401: 'invalid node token',
  429: 'too many invalid tokens',
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
