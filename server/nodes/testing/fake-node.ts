import { once } from 'node:events';
import { WebSocket } from 'ws';
import { CONNECT_PATH, parseServerMessage, PROTOCOL, type ServerMessage } from '../protocol.js';

type MessageOf<Type> = Extract<ServerMessage, { type: Type }>;

/** A real WebSocket that says what a test wants it to, the truth or not. */
export class FakeNode {
  readonly #heard: ServerMessage[] = [];
  #close: { code: number; reason: string } | undefined;
  /** Whether pings are answered. */
  answersPings = true;

  private constructor(readonly socket: WebSocket) {
    socket.on('message', (raw) => {
      const message = parseServerMessage((raw as Buffer).toString());
      if (message === undefined) throw new Error('the server does not keep to the protocol');
      if (message.type === 'ping' && this.answersPings) this.say({ type: 'pong', count: message.count });
      this.#heard.push(message);
      socket.emit('told');
    });
    socket.on('close', (code, reason) => {
      this.#close = { code, reason: reason.toString() };
      socket.emit('told');
    });
    socket.on('error', () => undefined);
  }

  /** Resolves with the status instead where the server refuses. `url` is its root, http. */
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

  /** Connects and says all that is needed to be ready. */
  static async ready(url: string, token: string, version = '1.2.3'): Promise<FakeNode> {
    const node = await FakeNode.connect(url, token);
    if (typeof node === 'number') throw new Error(`refused with ${node}`);
    node.hello(version);
    await node.heard('welcome');
    node.say({ type: 'ready' });
    return node;
  }

  hello(version = '1.2.3', protocol = PROTOCOL): void {
    this.say({ type: 'hello', protocol, version, capabilities: { ipv6: true } });
  }

  /** Text goes as it is. */
  say(message: unknown): void {
    this.socket.send(typeof message === 'string' ? message : JSON.stringify(message));
  }

  /** The next message of a kind. */
  async heard<Type extends ServerMessage['type']>(type: Type): Promise<MessageOf<Type>> {
    for (;;) {
      const at = this.#heard.findIndex((message) => message.type === type);
      if (at >= 0) return this.#heard.splice(at, 1)[0] as MessageOf<Type>;
      if (this.#close !== undefined) throw new Error(`closed (${this.#close.code}) without ${type}`);
      await once(this.socket, 'told');
    }
  }

  /** How the connection ended. */
  async closed(): Promise<{ code: number; reason: string }> {
    while (this.#close === undefined) await once(this.socket, 'told');
    return this.#close;
  }
}
