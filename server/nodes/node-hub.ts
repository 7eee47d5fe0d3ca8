import { setTimeout as sleep } from 'node:timers/promises';
import type { WebSocket } from 'ws';
import type { Deadline } from '../deadline.js';
import type { EgressGuard } from '../egress/egress-guard.js';
import type { NodeCounts } from './node-counts.js';
import type { NodeChange } from './node-records.js';
import type { Admitted, NodeStore } from './node-store.js';
import type { NodeProbe, NodeProbeResult } from './node-relay.js';
import { NodeSession } from './node-session.js';
import type { NodeTimes } from '../config.js';
import { CLOSE } from './protocol.js';

/** What a hub needs. */
export interface HubParts {
  readonly store: NodeStore;
  /** Id of this process. */
  readonly process: string;
  readonly times: NodeTimes;
  readonly counts: NodeCounts;
  /** Decides which addresses a node's answer may name. */
  readonly guard: EgressGuard;
  readonly log: (line: string) => void;
}

/** The nodes connected to this process: one connection per node, the newest. */
export class NodeHub {
  readonly #sessions = new Map<number, NodeSession>();
  /** All connections, including replaced ones that still finish jobs. */
  readonly #open = new Set<NodeSession>();
  /** Time of the last stored heartbeat, by connection. */
  readonly #seenMs = new Map<number, number>();
  #isRedisFailing = false;

  constructor(private readonly parts: HubParts) {}

  /** Number of connections, ready or not. */
  get size(): number {
    return this.#open.size;
  }

  /** Returns a node that is ready here. */
  find(node: number): NodeSession | undefined {
    const session = this.#sessions.get(node);
    return session?.isReady === true ? session : undefined;
  }

  /** Runs a probe at a node of this process. */
  run(node: number, probe: NodeProbe, deadline: Deadline): Promise<NodeProbeResult> {
    return this.find(node)?.run(probe, deadline) ?? Promise.resolve({ kind: 'refused' });
  }

  /** Adds a connection and closes an older one of the same node. */
  add(admitted: Admitted, socket: WebSocket): void {
    const { id } = admitted.node;
    const { times, counts, guard, log } = this.parts;
    const session = new NodeSession(admitted, socket, {
      times,
      counts,
      guard,
      log,
      onAlive: (alive) => void this.#hold(alive),
      onLeft: (left) => void this.#logFailure(this.parts.store.leave(left.admitted)),
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

  /** Applies a change that any process published. */
  apply(change: NodeChange): void {
    if (change.kind === 'presence') return;
    const session = this.#sessions.get(change.node);
    if (session === undefined) return;
    if (change.kind === 'revoked') session.close(CLOSE.revoked, REVOKED);
    else if (session.admitted.connection < change.connection) session.close(CLOSE.replaced, REPLACED);
  }

  /** Disconnects all nodes after their running jobs, or after `capMs`. */
  async drain(capMs: number): Promise<void> {
    const sessions = [...this.#open];
    const done = new AbortController();
    const drained = Promise.all(sessions.map((session) => session.drain()));
    await Promise.race([drained, sleep(capMs, undefined, { signal: done.signal }).catch(() => undefined)]);
    done.abort();
    for (const session of sessions) session.close(CLOSE.restart, 'the server is shutting down');
    while (this.#open.size > 0) await sleep(10);
  }

  /** Marks a node as online. Closes its connection if Redis knows a newer one or a revoked token. */
  async #hold(session: NodeSession): Promise<void> {
    const { admitted, claims } = session;
    if (claims === undefined) return;
    const { store, process, times } = this.parts;
    const { connection } = admitted;
    const held = await this.#logFailure(
      store.hold(admitted, { connection, process, ...claims }, times.presenceMs),
    );
    if (held === 'replaced') session.close(CLOSE.replaced, REPLACED);
    if (held === 'revoked') session.close(CLOSE.revoked, REVOKED);
    if (held !== 'held') return;
    // The node left while Redis was being updated.
    if (!session.isReady) return void this.#logFailure(store.leave(admitted));
    await this.#logFailure(this.#seen(session));
  }

  async #seen({ admitted: { node, connection } }: NodeSession): Promise<void> {
    const { store, times } = this.parts;
    const lastMs = this.#seenMs.get(connection);
    if (lastMs !== undefined && performance.now() - lastMs < times.seenMs) return;
    this.#seenMs.set(connection, performance.now());
    await store.seen(node.id, new Date());
    if (lastMs === undefined) await store.publish({ kind: 'presence' });
  }

  /** Logs a Redis failure instead of throwing. The node stays connected and its next heartbeat tries again. */
  async #logFailure<T>(update: Promise<T>): Promise<T | undefined> {
    try {
      const done = await update;
      this.#isRedisFailing = false;
      return done;
    } catch (error) {
      // Log only the first failure: every heartbeat of every node would repeat it.
      if (!this.#isRedisFailing)
        this.parts.log(
          `cannot update nodes in Redis: ${error instanceof Error ? error.message : String(error)}`,
        );
      this.#isRedisFailing = true;
      return undefined;
    }
  }
}

const REPLACED = 'replaced by a newer connection with the same token';
const REVOKED = 'token revoked';
