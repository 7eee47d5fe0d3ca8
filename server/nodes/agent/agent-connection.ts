import { WebSocket } from 'ws';
import {
  AGENT_VERSION,
  CLOSE,
  CONNECT_PATH,
  MAX_MESSAGE_BYTES,
  parseServerMessage,
  PROTOCOL,
  type AgentMessage,
  type ServerMessage,
} from '../protocol.js';
import type { JobRunner } from './job-runner.js';

/** What a connection needs. */
export interface ConnectionParts {
  readonly token: string;
  readonly ipv6: boolean;
  readonly runner: JobRunner;
  /** Runs the self-test. Returns the reason of a failure, or undefined. */
  readonly failedSelfTest: (serverNow: number) => Promise<string | undefined>;
  readonly log: (line: string) => void;
}

/** How a connection ended. */
export interface Ended {
  /** Status code of RFC 6455 §7.4. 1006 if the connection was lost or never established. */
  readonly code: number;
  readonly reason: string;
  /** Whether the node had become ready. */
  readonly wasReady: boolean;
}

const HANDSHAKE_MS = 10_000;
/** Time limit until the first ping, before the interval is known. */
const FIRST_PING_MS = 15_000;
/** Number of heartbeat intervals without a ping after which the server counts as gone. */
const PATIENCE_BEATS = 3;

/** One connection to a server: hello, self-test, ready, then jobs until it ends. */
export class AgentConnection {
  readonly #socket: WebSocket;
  #wasReady = false;
  #heartbeatMs = FIRST_PING_MS / PATIENCE_BEATS;
  #silence: NodeJS.Timeout | undefined;
  #failure = 'connection lost';
  /** Resolves when the connection has ended. Never rejects. */
  readonly ended: Promise<Ended>;

  /** `server` is the server's root, such as `wss://api.example.com`. */
  constructor(
    server: URL,
    private readonly parts: ConnectionParts,
  ) {
    this.#socket = new WebSocket(new URL(CONNECT_PATH, server), {
      headers: { Authorization: `Bearer ${parts.token}` },
      handshakeTimeout: HANDSHAKE_MS,
      maxPayload: MAX_MESSAGE_BYTES,
      perMessageDeflate: false,
      followRedirects: false,
    });
    this.#socket.on('error', (error) => (this.#failure = explain(error)));
    this.#socket.on('open', () => {
      this.#listenFor(FIRST_PING_MS);
      const { ipv6 } = parts;
      this.#send({ type: 'hello', protocol: PROTOCOL, version: AGENT_VERSION, capabilities: { ipv6 } });
    });
    this.#socket.on('message', (raw, isBinary) => {
      const message = isBinary ? undefined : parseServerMessage((raw as Buffer).toString());
      if (message === undefined) parts.log('invalid message from the server');
      else this.#take(message);
    });
    this.ended = this.#untilClosed();
  }

  /** Announces the end, waits for running jobs and closes. Terminates after `capMs`. */
  async leave(capMs: number): Promise<void> {
    const cut = setTimeout(() => {
      this.#socket.terminate();
    }, capMs);
    this.#send({ type: 'goodbye', reason: 'the agent is stopping' });
    await this.parts.runner.drain();
    this.#socket.close(CLOSE.goingAway, 'the agent is stopping');
    await this.ended;
    clearTimeout(cut);
  }

  async #untilClosed(): Promise<Ended> {
    // `events.once` would reject on the error that precedes `close`.
    const { code, said } = await new Promise<{ code: number; said: string }>((resolve) => {
      this.#socket.once('close', (code, reason) => {
        resolve({ code, said: reason.toString() });
      });
    });
    clearTimeout(this.#silence);
    return { code, reason: said === '' ? this.#failure : said, wasReady: this.#wasReady };
  }

  #take(message: ServerMessage): void {
    switch (message.type) {
      case 'welcome':
        this.#heartbeatMs = message.heartbeatMs;
        void this.#testItself(message);
        break;
      case 'ping':
        this.#listenFor(this.#heartbeatMs * PATIENCE_BEATS);
        this.#send({ type: 'pong', count: message.count });
        break;
      case 'job':
        void this.#work(message);
        break;
    }
  }

  async #testItself({ code, now }: Extract<ServerMessage, { type: 'welcome' }>): Promise<void> {
    const failure = await this.parts.failedSelfTest(now);
    if (failure === undefined) {
      this.#wasReady = true;
      this.parts.log(`ready as ${code}`);
      this.#send({ type: 'ready' });
      return;
    }
    this.#failure = `self-test failed: ${failure}`;
    this.#send({ type: 'goodbye', reason: failure.slice(0, 200) });
    this.#socket.close(CLOSE.goingAway);
  }

  async #work(job: Extract<ServerMessage, { type: 'job' }>): Promise<void> {
    const { id, host, port } = job;
    const answer = await this.parts.runner.run(job, () => {
      this.#send({ type: 'ack', id });
    });
    if (answer === undefined) return;
    const what = answer.type === 'result' ? `probed at ${answer.ip}` : `refused: ${answer.reason}`;
    this.parts.log(`${JSON.stringify(host)} port ${port} ${what}`);
    this.#send(answer);
  }

  /** Restarts the timer after which a silent server counts as gone. */
  #listenFor(ms: number): void {
    clearTimeout(this.#silence);
    this.#silence = setTimeout(() => {
      this.#failure = 'no heartbeat from the server';
      this.#socket.terminate();
    }, ms);
  }

  #send(message: AgentMessage): void {
    if (this.#socket.readyState === WebSocket.OPEN) this.#socket.send(JSON.stringify(message));
  }
}

/** Explains an HTTP status to the operator of the agent, since the message of ws does not. */
function explain({ message }: Error): string {
  const [, status] = /^Unexpected server response: (\d+)$/.exec(message) ?? [];
  if (status === undefined) return message;
  return `the server returned HTTP ${status}${STATUS_MEANINGS.get(status) ?? ''}`;
}

const STATUS_MEANINGS: ReadonlyMap<string, string> = new Map([
  ['401', ': invalid token'],
  ['404', ': not an ipatlas server'],
  ['429', ': too many connections of this node, or invalid tokens from this address'],
  ['503', ': no nodes are accepted at the moment'],
]);
