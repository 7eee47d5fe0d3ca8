import { setMaxListeners } from 'node:events';
import type { Socket } from 'node:net';
import { createSecureContext, rootCertificates, type SecureContext } from 'node:tls';
import { before, deadlineIn, type Deadline } from '../deadline.js';
import { hostOf } from './redirects.js';
import { UpstreamError } from '../upstream-error.js';
import { Connection } from './connection.js';
import { openSocket } from './open-socket.js';

/** The open connections, by origin and address. */
export class Connections {
  readonly #context: SecureContext;
  readonly #open = new Map<string, Set<Connection>>();
  /** The first of a key: when it speaks HTTP/2 it serves all who wait for it. */
  readonly #opening = new Map<string, Promise<Connection>>();
  readonly #closing = new AbortController();
  #count = 0;

  /** `extraAuthorities` in PEM are believed besides the usual ones. */
  constructor(extraAuthorities?: string) {
    // Every connection that is being opened listens to it: Node takes more than ten for a leak.
    setMaxListeners(MAX_CONNECTIONS, this.#closing.signal);
    this.#context = createSecureContext(
      extraAuthorities === undefined ? {} : { ca: [...rootCertificates, extraAuthorities] },
    );
  }

  /** One that keeps room for a request, whose `run` must follow. Throws UpstreamError. */
  async take(url: URL, address: string, deadline: Deadline): Promise<Connection> {
    const key = `${url.origin} ${address}`;
    const free = this.#takeFree(key);
    if (free) return free;
    const first = await connected(this.#opening.get(key) ?? this.#openFirst(key, url, address), deadline);
    if (first.take()) return first;
    const another = await connected(this.#openOne(key, url, address), deadline);
    if (another.take()) return another;
    throw new UpstreamError('unreachable', `${url.host} at ${address} closed the connection`);
  }

  /** Ends all, at once. */
  async close(): Promise<void> {
    this.#closing.abort();
    const all = [...this.#open.values()].flatMap((connections) => [...connections]);
    await Promise.all(all.map((connection) => connection.destroy()));
  }

  #takeFree(key: string): Connection | undefined {
    for (const connection of this.#open.get(key) ?? []) if (connection.take()) return connection;
    return undefined;
  }

  #openFirst(key: string, url: URL, address: string): Promise<Connection> {
    const opening = this.#openOne(key, url, address).finally(() => this.#opening.delete(key));
    this.#opening.set(key, opening);
    return opening;
  }

  /** Has its own time: who gives up earlier leaves it to others. */
  async #openOne(key: string, url: URL, address: string): Promise<Connection> {
    this.#makeRoom();
    this.#count++;
    try {
      const socket = await openSocket(this.#socketTarget(url, address), {
        deadline: deadlineIn(CONNECT_MS),
        signal: this.#closing.signal,
      });
      return this.#keep(key, new Connection(url.origin, socket, address), socket);
    } catch (error) {
      this.#count--;
      throw error;
    }
  }

  #socketTarget(url: URL, address: string) {
    const isTls = url.protocol === 'https:';
    const port = url.port === '' ? (isTls ? 443 : 80) : Number(url.port);
    return { address, port, ...(isTls ? { tls: { context: this.#context, host: hostOf(url) } } : {}) };
  }

  #keep(key: string, connection: Connection, socket: Socket): Connection {
    const connections = this.#open.get(key) ?? new Set();
    this.#open.set(key, connections.add(connection));
    socket.once('close', () => {
      this.#count--;
      connections.delete(connection);
      if (connections.size === 0 && this.#open.get(key) === connections) this.#open.delete(key);
    });
    return connection;
  }

  /** An idle one goes for a new one where there are too many. */
  #makeRoom(): void {
    if (this.#closing.signal.aborted) throw new UpstreamError('unreachable', 'closing down');
    if (this.#count < MAX_CONNECTIONS) return;
    for (const connections of this.#open.values()) {
      for (const connection of connections) {
        if (!connection.isIdle) continue;
        void connection.destroy();
        return;
      }
    }
    throw new UpstreamError('unreachable', 'too many connections are open');
  }
}

const CONNECT_MS = 3000;
const MAX_CONNECTIONS = 1000;

/** The same for who waits no longer than that. */
function connected(opening: Promise<Connection>, deadline: Deadline): Promise<Connection> {
  return before(deadline, opening, () => {
    throw new UpstreamError('timeout', 'not connected in time');
  });
}
