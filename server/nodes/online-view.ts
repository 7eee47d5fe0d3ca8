import type { KnownNode, NodeStore } from './node-store.js';
import type { Presence } from './node-records.js';
import type { NodeTimes } from '../config.js';
import type { OnlineNode } from './probe-node.js';

/** The online nodes as this process knows them. Refreshed every second and after each change. */
export class OnlineView {
  #nodes: readonly OnlineNode[] = [];
  #presences = new Map<number, Presence>();
  #seenMs = -Infinity;
  #refreshing: Promise<void> | undefined;
  #isRequestedAgain = false;
  readonly #timer: NodeJS.Timeout;

  constructor(
    private readonly store: Pick<NodeStore, 'list'>,
    private readonly times: NodeTimes,
  ) {
    this.#timer = setInterval(() => void this.refresh(), times.pollMs);
    this.#timer.unref();
    void this.refresh();
  }

  /** Returns the nodes by id. Empty when Redis has not answered for a long time. */
  nodes(): readonly OnlineNode[] {
    return performance.now() - this.#seenMs > this.times.staleMs ? [] : this.#nodes;
  }

  /** Returns where a node is connected. */
  presenceOf(id: number): Presence | undefined {
    return this.#presences.get(id);
  }

  /** Refreshes the view. A call during a refresh causes one more. */
  refresh(): Promise<void> {
    if (this.#refreshing !== undefined) this.#isRequestedAgain = true;
    return (this.#refreshing ??= this.#refreshUntilCurrent().finally(() => {
      this.#refreshing = undefined;
    }));
  }

  stop(): void {
    clearInterval(this.#timer);
  }

  async #refreshUntilCurrent(): Promise<void> {
    do {
      this.#isRequestedAgain = false;
      await this.#refreshOnce();
    } while (this.#mustRepeat());
  }

  #mustRepeat(): boolean {
    return this.#isRequestedAgain;
  }

  async #refreshOnce(): Promise<void> {
    const known = await this.store.list().catch(() => undefined);
    // The last view becomes stale. The connection itself logs why Redis fails.
    if (known === undefined) return;
    this.#presences = new Map(
      known.flatMap(({ id, presence }) => (presence === undefined ? [] : [[id, presence]])),
    );
    this.#nodes = known.flatMap(onlineNode);
    this.#seenMs = performance.now();
  }
}

function onlineNode({ created: _, lastSeen, presence, ...node }: KnownNode): OnlineNode[] {
  if (presence === undefined) return [];
  const { ipv6, version } = presence;
  // last_seen is stored shortly after the presence.
  const last_seen = lastSeen ?? new Date().toISOString();
  return [{ ...node, ipv6: ipv6 ? 1 : 0, agent_version: version, status: 1, last_seen }];
}
