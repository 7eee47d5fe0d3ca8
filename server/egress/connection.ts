import type { Socket } from 'node:net';
import type { TLSSocket } from 'node:tls';
import { Client, type Dispatcher } from 'undici';

/** An open connection to one address for one origin. It does not reconnect: a broken connection is discarded. */
export class Connection {
  readonly httpVersion: '1.1' | '2';
  readonly #client: Client;
  readonly #socket: Socket;
  #running = 0;
  #served = 0;
  #isRetired = false;
  #idleTimer: NodeJS.Timeout | undefined;

  constructor(
    origin: string,
    socket: Socket,
    /** The remote address. */
    readonly address: string,
  ) {
    this.#socket = socket;
    this.httpVersion = (socket as Partial<TLSSocket>).alpnProtocol === 'h2' ? '2' : '1.1';
    this.#client = new Client(origin, {
      allowH2: true,
      pipelining: this.httpVersion === '2' ? MAX_STREAMS : 1,
      maxHeaderSize: MAX_HEADER_BYTES,
      // undici's timers tick in whole seconds. The caller enforces deadlines and this class enforces the idle time.
      headersTimeout: 0,
      bodyTimeout: 0,
      keepAliveTimeout: NEVER_MS,
      keepAliveMaxTimeout: NEVER_MS,
      connect: handOver(socket),
    });
    socket.once('close', () => {
      clearTimeout(this.#idleTimer);
    });
    this.#waitForMore();
  }

  /** Reserves a slot for one request, which the caller must send with `run`. Returns false when all slots are taken. */
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
    return !this.#isRetired && !this.#socket.destroyed && this.#socket.writable && !this.#client.destroyed;
  }

  /** Whether it has carried a complete exchange. The server may have closed such a connection in the meantime. */
  get isUsed(): boolean {
    return this.#served > 0;
  }

  /** Sends a request in a reserved slot. The slot is free again when `use` has read the whole reply. */
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

  /** Stops accepting requests, as after a missed deadline. Running requests get a few seconds to finish. */
  retire(): void {
    if (!this.isOpen) return;
    clearTimeout(this.#idleTimer);
    this.#isRetired = true;
    setTimeout(() => {
      void this.destroy();
    }, RETIREMENT_MS).unref();
  }

  /** Closes the connection and aborts its requests. */
  async destroy(): Promise<void> {
    clearTimeout(this.#idleTimer);
    // undici first: otherwise it reports the closed HTTP/2 socket as an error.
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

/** The usual limit of public resolvers (RFC 9113 §6.5.2 recommends at least 100). */
const MAX_STREAMS = 100;
const MAX_HEADER_BYTES = 16_384;
const RETIREMENT_MS = 5000;
const IDLE_MS = 15_000;
const NEVER_MS = 2 ** 30;

/** Returns an undici connector that hands over the open socket, once. */
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
    // undici loses the waiting request if the callback runs synchronously.
    setImmediate(done, null, socket);
  };
}
