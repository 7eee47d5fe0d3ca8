import { once } from 'node:events';
import { createServer, type AddressInfo, type Server, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';

/** A server's reply: text or bytes to send before closing, or a function that uses the socket. */
export type WhoisReply = string | Uint8Array | ((socket: Socket, query: string) => void | Promise<void>);

/** A whois server (RFC 3912) on a loopback address. Replies by query. */
export class WhoisServer {
  /** The received queries with their line ends. */
  readonly asked: string[] = [];
  /** The highest number of concurrent queries so far. */
  most = 0;
  readonly port: number;
  #running = 0;
  readonly #sockets = new Set<Socket>();

  private constructor(
    private readonly server: Server,
    /** Replies by query; `*` for all others. Tests may change it while the server runs. */
    readonly replies: Map<string, WhoisReply>,
  ) {
    this.port = (server.address() as AddressInfo).port;
    server.on('connection', (socket) => {
      this.#serve(socket);
    });
  }

  /** Starts a server. `port` 0 means any free port. */
  static async start(
    ip: string,
    port: number,
    replies: Readonly<Record<string, WhoisReply>>,
  ): Promise<WhoisServer> {
    const server = createServer();
    server.listen(port, ip);
    await once(server, 'listening');
    return new WhoisServer(server, new Map(Object.entries(replies)));
  }

  async close(): Promise<void> {
    for (const socket of this.#sockets) socket.destroy();
    if (!this.server.listening) return;
    const closed = once(this.server, 'close');
    this.server.close();
    await closed;
  }

  #serve(socket: Socket): void {
    this.#sockets.add(socket);
    socket.on('close', () => this.#sockets.delete(socket));
    // Ignores clients that disconnect.
    socket.on('error', () => socket.destroy());
    let received = '';
    socket.on('data', (chunk) => {
      const isFirst = !received.includes('\n');
      received += chunk.toString('latin1');
      if (isFirst && received.includes('\n')) void this.#answer(socket, received);
    });
  }

  async #answer(socket: Socket, received: string): Promise<void> {
    this.asked.push(received);
    this.most = Math.max(this.most, ++this.#running);
    const query = received.replace(/\r\n$/, '');
    const reply = this.replies.get(query) ?? this.replies.get('*') ?? '';
    if (typeof reply === 'function') await reply(socket, query);
    else socket.end(reply);
    this.#running--;
  }
}

/** Returns a reply that sends text byte by byte and never ends. */
export function drip(text: string, everyMs: number): WhoisReply {
  return async (socket) => {
    for (let i = 0; !socket.destroyed; i++) {
      socket.write(text[i % text.length]!);
      await sleep(everyMs);
    }
  };
}

/** Returns a reply that sends data as fast as possible and never ends. */
export function endless(chunk: string): WhoisReply {
  return async (socket) => {
    while (!socket.destroyed) {
      if (socket.write(chunk)) await sleep(0);
      else await Promise.race([once(socket, 'drain'), once(socket, 'close')]);
    }
  };
}
