import { setTimeout as sleep } from 'node:timers/promises';
import type { WebSocket } from 'ws';
import type { Deadline } from '../deadline.js';
import type { NodeCounts } from './node-counts.js';
import type { NodeChange } from './node-records.js';
import type { Admitted, NodeRegistry } from './node-registry.js';
import type { NodeProbe, NodeProbeResult } from './node-relay.js';
import { NodeSession } from './node-session.js';
import type { NodeTimes } from '../config.js';
import { CLOSE } from './protocol.js';

/** What a hub needs. */
export interface HubParts {
  readonly registry: NodeRegistry;
  /** The name of this process among all. */
  readonly process: string;
  readonly times: NodeTimes;
  readonly counts: NodeCounts;
  readonly log: (line: string) => void;
}

/** The nodes whose sockets this process holds: one connection each, the newest. */
export class NodeHub {
  readonly #sessions = new Map<number, NodeSession>();
  /** Replaced ones that end their jobs are still counted here. */
  readonly #open = new Set<NodeSession>();
  /** By connection: when it was written down that it was heard. */
  readonly #seenMs = new Map<number, number>();
  #isRedisSilent = false;

  constructor(private readonly parts: HubParts) {}

  /** Connections, ready or not. */
  get size(): number {
    return this.#open.size;
  }

  /** A node that is ready here. */
  find(node: number): NodeSession | undefined {
    const session = this.#sessions.get(node);
    return session?.isReady === true ? session : undefined;
  }

  /** Asks a node of ours. */
  run(node: number, probe: NodeProbe, deadline: Deadline): Promise<NodeProbeResult> {
    return this.find(node)?.run(probe, deadline) ?? Promise.resolve({ kind: 'refused' });
  }

  /** Takes a connection. */
  add(admitted: Admitted, socket: WebSocket): void {
    const { id } = admitted.node;
    const { times, counts, log } = this.parts;
    const session = new NodeSession(admitted, socket, {
      ...{ times, counts, log },
      onAlive: (alive) => void this.#hold(alive),
      onLeft: (left) => void this.#told(this.parts.registry.leave(left.admitted)),
      onClosed: (closed) => {
        this.#open.delete(closed);
        this.#seenMs.delete(closed.admitted.connection);
        if (this.#sessions.get(id) === closed) this.#sessions.delete(id);
      },
    });
    this.#open.add(session);
    const present = this.#sessions.get(id);
    if (present !== undefined && present.admitted.connection > admitted.connection) {
      session.close(CLOSE.replaced, REPLACED);
      return;
    }
    this.#sessions.set(id, session);
    present?.close(CLOSE.replaced, REPLACED);
  }

  /** Something has changed somewhere. */
  hear(change: NodeChange): void {
    if (change.kind === 'presence') return;
    const session = this.#sessions.get(change.node);
    if (session === undefined) return;
    if (change.kind === 'revoked') session.close(CLOSE.revoked, REVOKED);
    else if (session.admitted.connection < change.connection) session.close(CLOSE.replaced, REPLACED);
  }

  /** Says goodbye to all nodes, after what they are doing, or after `capMs`. */
  async drain(capMs: number): Promise<void> {
    const sessions = [...this.#open];
    const done = new AbortController();
    const drained = Promise.all(sessions.map((session) => session.drain()));
    await Promise.race([drained, sleep(capMs, undefined, { signal: done.signal }).catch(() => undefined)]);
    done.abort();
    for (const session of sessions) session.close(CLOSE.restart, 'this server ends: connect to another');
    while (this.#open.size > 0) await sleep(10);
  }

  /** Says that a node is online, and closes it where Redis knows better: the news of it may have been lost. */
  async #hold(session: NodeSession): Promise<void> {
    const { admitted, claims } = session;
    if (claims === undefined) return;
    const { registry, process, times } = this.parts;
    const { connection } = admitted;
    const held = await this.#told(
      registry.hold(admitted, { connection, process, ...claims }, times.presenceMs),
    );
    if (held === 'replaced') session.close(CLOSE.replaced, REPLACED);
    if (held === 'revoked') session.close(CLOSE.revoked, REVOKED);
    if (held !== 'held') return;
    // It has left while Redis was told that it is here.
    if (!session.isReady) return void this.#told(registry.leave(admitted));
    await this.#told(this.#seen(session));
  }

  async #seen({ admitted: { node, connection } }: NodeSession): Promise<void> {
    const { registry, times } = this.parts;
    const lastMs = this.#seenMs.get(connection);
    if (lastMs !== undefined && performance.now() - lastMs < times.seenMs) return;
    this.#seenMs.set(connection, performance.now());
    await registry.seen(node.id, new Date());
    if (lastMs === undefined) await registry.tell({ kind: 'presence' });
  }

  /** Without Redis a node stays connected, and says the same again with its next heartbeat. */
  async #told<T>(said: Promise<T>): Promise<T | undefined> {
    try {
      const done = await said;
      this.#isRedisSilent = false;
      return done;
    } catch (error) {
      // Every heartbeat of every node would say the same.
      if (!this.#isRedisSilent)
        this.parts.log(
          `Redis cannot be told of nodes: ${error instanceof Error ? error.message : String(error)}`,
        );
      this.#isRedisSilent = true;
      return undefined;
    }
  }
}

const REPLACED = 'the same token has connected anew';
const REVOKED = 'the token is worth nothing any more';
