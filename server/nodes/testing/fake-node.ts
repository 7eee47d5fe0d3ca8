import { once } from 'node:events';
import { WebSocket } from 'ws';
import { CONNECT_PATH, parseServerMessage, PROTOCOL, type ServerMessage } from '../protocol.js';

type MessageOf<Type> = Extract<ServerMessage, { type: Type }>;

/** The longest wait for a message or for the end of a connection. Then the wait rejects with AbortError. */
const WAIT_MS = 30_000;

/** A WebSocket client that sends whatever a test wants. */
export class FakeNode {
  readonly #inbox: ServerMessage[] = [];
  #close: { code: number; reason: string } | undefined;
  /** Whether to answer pings. */
  answersPings = true;

  private constructor(readonly socket: WebSocket) {
    socket.on('message', (raw) => {
      const message = parseServerMessage((raw as Buffer).toString());
      if (message === undefined) throw new Error('invalid message from the server');
      if (message.type === 'ping' && this.answersPings) this.send({ type: 'pong', count: message.count });
      this.#inbox.push(message);
      socket.emit('received');
    });
    socket.on('close', (code, reason) => {
      this.#close = { code, reason: reason.toString() };
      socket.emit('received');
    });
    socket.on('error', () => undefined);
  }

  /** Connects. Resolves with the HTTP status if the server rejects it. `url` is the server's http root. */
  static async connect(url: string, token: string): Promise<FakeNode | number> {
    const socket = new WebSocket(new URL(CONNECT_PATH, url.replace('http', 'ws')), {
      headers: { Authorization: `Bearer ${token}` },
    });
    const node = new FakeNode(socket);
    return await new Promise((resolve, reject) => {
      socket.once('open', () => {
        resolve(node);
      });
      socket.once('unexpected-response', (_, response) => {
        response.resume();
        resolve(response.statusCode ?? 0);
      });
      socket.once('error', reject);
    });
  }

  /** Connects and completes the handshake until ready. */
  static async ready(url: string, token: string, version = '1.2.3'): Promise<FakeNode> {
    const node = await FakeNode.connect(url, token);
    if (typeof node === 'number') throw new Error(`refused with ${node}`);
    node.hello(version);
    await node.received('welcome');
    node.send({ type: 'ready' });
    return node;
  }

  hello(version = '1.2.3', protocol = PROTOCOL): void {
    this.send({ type: 'hello', protocol, version, capabilities: { ipv6: true } });
  }

  /** Sends a message. A string is sent unchanged. */
  send(message: unknown): void {
    this.socket.send(typeof message === 'string' ? message : JSON.stringify(message));
  }

  /** Waits for the next message of a type. */
  async received<Type extends ServerMessage['type']>(type: Type): Promise<MessageOf<Type>> {
    for (;;) {
      const at = this.#inbox.findIndex((message) => message.type === type);
      if (at >= 0) return this.#inbox.splice(at, 1)[0] as MessageOf<Type>;
      if (this.#close !== undefined) throw new Error(`closed (${this.#close.code}) without ${type}`);
      await once(this.socket, 'received', { signal: AbortSignal.timeout(WAIT_MS) });
    }
  }

  /** Waits until the connection has ended. */
  async closed(): Promise<{ code: number; reason: string }> {
    while (this.#close === undefined)
      await once(this.socket, 'received', { signal: AbortSignal.timeout(WAIT_MS) });
    return this.#close;
  }
}
