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

/** What a connection is made with. */
export interface ConnectionParts {
  readonly token: string;
  readonly ipv6: boolean;
  readonly runner: JobRunner;
  /** Why the node is not fit for work; absent when it is. */
  readonly failedSelfTest: (serverNow: number) => Promise<string | undefined>;
  readonly log: (line: string) => void;
}

/** How a connection ended. */
export interface Ended {
  /** Of RFC 6455 §7.4; 1006 when it broke off or never came about. */
  readonly code: number;
  readonly reason: string;
  /** Whether the node was ready for jobs. */
  readonly wasReady: boolean;
}

const HANDSHAKE_MS = 10_000;
/** Until the first ping tells how often they come. */
const FIRST_PING_MS = 15_000;
/** So many heartbeats without a ping, and the server is gone. */
const PATIENCE_BEATS = 3;

/** One connection to a server: hello, self-test, ready, jobs, until it ends. */
export class AgentConnection {
  readonly #socket: WebSocket;
  #wasReady = false;
  #heartbeatMs = FIRST_PING_MS / PATIENCE_BEATS;
  #silence: NodeJS.Timeout | undefined;
  #failure = 'the connection broke off';
  /** Resolves when it is over; never rejects. */
  readonly ended: Promise<Ended>;

  /** `server` is the server's root, `wss://api.example.com`. */
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
      if (message === undefined) parts.log('the server said what cannot be understood');
      else this.#take(message);
    });
    this.ended = this.#untilClosed();
  }

  /** No more jobs: says so, ends those that run, and closes; cut off after `capMs`. */
  async leave(capMs: number): Promise<void> {
    const cut = setTimeout(() => {
      this.#socket.terminate();
    }, capMs);
    this.#send({ type: 'goodbye', reason: 'the agent ends' });
    await this.parts.runner.drain();
    this.#socket.close(CLOSE.goingAway, 'the agent ends');
    await this.ended;
    clearTimeout(cut);
  }

  async #untilClosed(): Promise<Ended> {
    // `events.once` would reject with the error that comes before.
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
    this.#failure = `the self-test failed: ${failure}`;
    this.#send({ type: 'goodbye', reason: failure.slice(0, 200) });
    this.#socket.close(CLOSE.goingAway);
  }

  async #work(job: Extract<ServerMessage, { type: 'job' }>): Promise<void> {
    const { id, host, port } = job;
    const answer = await this.parts.runner.run(job, () => {
      this.#send({ type: 'ack', id });
    });
    if (answer === undefined) return;
    const what = answer.type === 'result' ? `tried ${answer.ip}` : `refused: ${answer.reason}`;
    this.parts.log(`${JSON.stringify(host)} port ${port} ${what}`);
    this.#send(answer);
  }

  /** Without a sign of the server until then it counts as gone. */
  #listenFor(ms: number): void {
    clearTimeout(this.#silence);
    this.#silence = setTimeout(() => {
      this.#failure = 'the server is silent';
      this.#socket.terminate();
    }, ms);
  }

  #send(message: AgentMessage): void {
    if (this.#socket.readyState === WebSocket.OPEN) this.#socket.send(JSON.stringify(message));
  }
}

/** What ws says of a status is no help to who runs an agent. */
function explain({ message }: Error): string {
  const [, status] = /^Unexpected server response: (\d+)$/.exec(message) ?? [];
  if (status === undefined) return message;
  return `the server answers HTTP ${status}${STATUS_MEANINGS.get(status) ?? ''}`;
}

const STATUS_MEANINGS: ReadonlyMap<string, string> = new Map([
  ['401', ', the token is of no node'],
  ['404', ', it is no ipatlas'],
  ['429', ', too many wrong tokens came from here'],
  ['503', ', it takes no nodes right now'],
]);
