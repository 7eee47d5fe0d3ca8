import { once } from 'node:events';
import { createServer, type AddressInfo, type Server, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';

/** What a server does with a question: text or bytes to send before it closes, or whatever it likes. */
export type WhoisReply = string | Uint8Array | ((socket: Socket, query: string) => void | Promise<void>);

/** A whois server on an address of the loopback (RFC 3912) that answers by the question's line. */
export class WhoisServer {
  /** Lines as they came, with their ends. */
  readonly asked: string[] = [];
  /** Most questions so far that waited for their answer at a time. */
  most = 0;
  readonly port: number;
  #running = 0;
  readonly #sockets = new Set<Socket>();

  private constructor(
    private readonly server: Server,
    /** By the question's line; `*` for all others. May be changed while it runs. */
    readonly replies: Map<string, WhoisReply>,
  ) {
    this.port = (server.address() as AddressInfo).port;
    server.on('connection', (socket) => {
      this.#serve(socket);
    });
  }

  /** `port` 0 takes any free one. */
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
    // Clients that hang up are none of its business.
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

/** Sends text byte by byte, and never comes to an end. */
export function drip(text: string, everyMs: number): WhoisReply {
  return async (socket) => {
    for (let i = 0; !socket.destroyed; i++) {
      socket.write(text[i % text.length]!);
      await sleep(everyMs);
    }
  };
}

/** Sends without end, as fast as it is taken. */
export function endless(chunk: string): WhoisReply {
  return async (socket) => {
    while (!socket.destroyed) {
      if (socket.write(chunk)) await sleep(0);
      else await Promise.race([once(socket, 'drain'), once(socket, 'close')]);
    }
  };
}
