import type { Socket } from 'node:net';
import type { TLSSocket } from 'node:tls';
import { Client, type Dispatcher } from 'undici';

/** An open connection to an address, for one origin. It is never opened again: a broken one is dropped. */
export class Connection {
  readonly httpVersion: '1.1' | '2';
  readonly #client: Client;
  readonly #socket: Socket;
  #running = 0;
  #served = 0;
  #idleTimer: NodeJS.Timeout | undefined;

  constructor(
    origin: string,
    socket: Socket,
    /** What was connected to. */
    readonly address: string,
  ) {
    this.#socket = socket;
    this.httpVersion = (socket as Partial<TLSSocket>).alpnProtocol === 'h2' ? '2' : '1.1';
    this.#client = new Client(origin, {
      allowH2: true,
      pipelining: this.httpVersion === '2' ? MAX_STREAMS : 1,
      maxHeaderSize: MAX_HEADER_BYTES,
      // Their timers tick in seconds: deadlines are kept by who asks, idleness here.
      ...{ headersTimeout: 0, bodyTimeout: 0, keepAliveTimeout: NEVER_MS, keepAliveMaxTimeout: NEVER_MS },
      connect: handOver(socket),
    });
    socket.once('close', () => {
      clearTimeout(this.#idleTimer);
    });
    this.#waitForMore();
  }

  /** Keeps room for one request, which `run` must follow; false when there is none. */
  take(): boolean {
    if (!this.isOpen || this.#running >= (this.httpVersion === '2' ? MAX_STREAMS : 1)) return false;
    clearTimeout(this.#idleTimer);
    this.#running++;
    return true;
  }

  get isIdle(): boolean {
    return this.#running === 0;
  }

  get isOpen(): boolean {
    return !this.#socket.destroyed && this.#socket.writable && !this.#client.destroyed;
  }

  /** Whether an answer came on it before: the server may have closed it just now. */
  get isUsed(): boolean {
    return this.#served > 0;
  }

  /** Sends the request that was kept room for; it counts until `use` has the whole answer. */
  async run<Reply>(
    options: Dispatcher.RequestOptions,
    use: (reply: Dispatcher.ResponseData) => Promise<Reply>,
  ): Promise<Reply> {
    try {
      const reply = await use(await this.#client.request(options));
      this.#served++;
      return reply;
    } finally {
      this.#running--;
      if (this.#running === 0) this.#waitForMore();
    }
  }

  /** Ends it, and what runs on it. */
  async destroy(): Promise<void> {
    clearTimeout(this.#idleTimer);
    // undici first: it takes its HTTP/2 sockets to break with an error.
    await this.#client.destroy();
    this.#socket.destroy();
  }

  #waitForMore(): void {
    if (!this.isOpen) return;
    this.#idleTimer = setTimeout(() => {
      void this.destroy();
    }, IDLE_MS);
    this.#idleTimer.unref();
  }
}

/** What public resolvers let us have at once (RFC 9113 §6.5.2 recommends at least 100). */
const MAX_STREAMS = 100;
const MAX_HEADER_BYTES = 16_384;
const IDLE_MS = 15_000;
const NEVER_MS = 2 ** 30;

/** Gives undici the socket that is there, once. */
function handOver(
  socket: Socket,
): (options: unknown, done: (...got: [Error, null] | [null, Socket]) => void) => void {
  let isGiven = false;
  return (_, done) => {
    if (isGiven || socket.destroyed) {
      done(new Error('the connection is closed'), null);
      return;
    }
    isGiven = true;
    // Not at once: over HTTP/1.1 undici would forget to send what waits.
    queueMicrotask(() => {
      done(null, socket);
    });
  };
}
