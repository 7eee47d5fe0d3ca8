import { STATUS_CODES, type IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';
import { WebSocketServer, type WebSocket } from 'ws';
import { FailedAttempts } from './failed-attempts.js';
import type { NodeCounts } from './node-counts.js';
import type { Admitted, NodeRegistry } from './node-registry.js';
import { MAX_MESSAGE_BYTES } from './protocol.js';

/** What a door needs. */
export interface DoorParts {
  readonly registry: Pick<NodeRegistry, 'admit'>;
  readonly counts: NodeCounts;
  readonly onAdmitted: (admitted: Admitted, socket: WebSocket) => void;
  readonly log: (line: string) => void;
}

/** What comes with a handshake. */
export interface Entrance {
  /** Bytes that came behind the request. */
  readonly head: Buffer;
  /** Whom wrong tokens are held against. */
  readonly source: string;
  /** Names and values in turn of a refusal's headers, whatever it says. */
  readonly headers?: () => Promise<readonly string[]>;
}

/** Lets agents in: the token is looked at before the protocol is switched (RFC 6455 §4.2.2). */
export class NodeDoor {
  readonly #webSockets = new WebSocketServer({
    noServer: true,
    clientTracking: false,
    perMessageDeflate: false,
    maxPayload: MAX_MESSAGE_BYTES,
  });
  readonly #failures = new FailedAttempts();
  #isShut = false;

  constructor(private readonly parts: DoorParts) {}

  /** From now on everybody is sent to another server. */
  shut(): void {
    this.#isShut = true;
  }

  /** Wrong tokens are held against `source`. Switches to WebSocket or answers with a status: 401 wrong token, 429 too many of them, 503 ask again. */
  async enter(
    req: IncomingMessage,
    socket: Duplex,
    { head, source, headers = noHeaders }: Entrance,
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
    return this.#isShut;
  }

  async #admit(req: IncomingMessage, source: string): Promise<Admitted | 401 | 429 | 503> {
    if (this.#mustRefuse()) return 503;
    if (this.#failures.isTooMany(source)) return this.#refused(429);
    const [, token = ''] = /^Bearer ([\w]{1,100})$/i.exec(req.headers.authorization ?? '') ?? [];
    try {
      const admitted = await this.parts.registry.admit(token);
      if (this.#mustRefuse()) return 503;
      if (admitted !== undefined) return admitted;
    } catch (error) {
      this.parts.log(`a node cannot be let in: ${error instanceof Error ? error.message : String(error)}`);
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

const MESSAGES = {
  401: 'the token of no node',
  429: 'too many wrong tokens',
  503: 'no nodes are taken right now',
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
