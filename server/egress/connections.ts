import { setMaxListeners } from 'node:events';
import type { Socket } from 'node:net';
import { createSecureContext, rootCertificates, type SecureContext } from 'node:tls';
import { before, deadlineIn, type Deadline } from '../deadline.js';
import { hostOf } from './redirects.js';
import { UpstreamError } from '../upstream-error.js';
import { Connection } from './connection.js';
import { openSocket } from './open-socket.js';

/** The pool of open connections by origin and address. */
export class Connections {
  readonly #context: SecureContext;
  readonly #open = new Map<string, Set<Connection>>();
  /** The first connection of each key while it opens. With HTTP/2 it can carry all waiting requests. */
  readonly #opening = new Map<string, Promise<Connection>>();
  readonly #closing = new AbortController();
  #count = 0;

  /** `extraAuthorities` (PEM) are trusted in addition to the default ones. */
  constructor(extraAuthorities?: string) {
    // Every opening connection listens to this signal. Node warns of a leak above ten listeners.
    setMaxListeners(MAX_CONNECTIONS, this.#closing.signal);
    this.#context = createSecureContext(
      extraAuthorities === undefined ? {} : { ca: [...rootCertificates, extraAuthorities] },
    );
  }

  /** Returns a connection with a reserved slot, which the caller must use with `run`. Throws UpstreamError. */
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

  /** Closes all connections immediately. */
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

  /** Opens a connection with its own deadline, so that it continues for other callers when one gives up. */
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

  /** Closes an idle connection if the pool is full. Throws UpstreamError if none is idle. */
  #makeRoom(): void {
    if (this.#closing.signal.aborted) throw new UpstreamError('unreachable', 'the HTTP client is closed');
    if (this.#count < MAX_CONNECTIONS) return;
    for (const connections of this.#open.values()) {
      for (const connection of connections) {
        if (!connection.isIdle) continue;
        void connection.destroy();
        return;
      }
    }
    throw new UpstreamError('unreachable', `all ${MAX_CONNECTIONS} connections are in use`);
  }
}

const CONNECT_MS = 3000;
const MAX_CONNECTIONS = 1000;

/** Waits for a connection until the deadline. */
function connected(opening: Promise<Connection>, deadline: Deadline): Promise<Connection> {
  return before(deadline, opening, () => {
    throw new UpstreamError('timeout', 'connection not established in time');
  });
}
