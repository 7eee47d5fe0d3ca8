import type { KnownNode, NodeRegistry } from './node-registry.js';
import type { Presence } from './node-records.js';
import type { NodeTimes } from '../config.js';
import type { OnlineNode } from './probe-node.js';

/** Who is online, as this process has heard: looked for each second, and when something changes. */
export class OnlineView {
  #nodes: readonly OnlineNode[] = [];
  #presences = new Map<number, Presence>();
  #seenMs = -Infinity;
  #looking: Promise<void> | undefined;
  #isAskedAgain = false;
  readonly #timer: NodeJS.Timeout;

  constructor(
    private readonly registry: Pick<NodeRegistry, 'list'>,
    private readonly times: NodeTimes,
  ) {
    this.#timer = setInterval(() => void this.look(), times.pollMs);
    this.#timer.unref();
    void this.look();
  }

  /** By id; none when Redis has not answered for long. */
  nodes(): readonly OnlineNode[] {
    return performance.now() - this.#seenMs > this.times.staleMs ? [] : this.#nodes;
  }

  /** Where a node is. */
  presenceOf(id: number): Presence | undefined {
    return this.#presences.get(id);
  }

  /** Looks now, and once more when it is asked meanwhile. */
  look(): Promise<void> {
    if (this.#looking !== undefined) this.#isAskedAgain = true;
    return (this.#looking ??= this.#lookOn().finally(() => {
      this.#looking = undefined;
    }));
  }

  stop(): void {
    clearInterval(this.#timer);
  }

  async #lookOn(): Promise<void> {
    do {
      this.#isAskedAgain = false;
      await this.#lookOnce();
    } while (this.#mustLookAgain());
  }

  #mustLookAgain(): boolean {
    return this.#isAskedAgain;
  }

  async #lookOnce(): Promise<void> {
    const known = await this.registry.list().catch(() => undefined);
    // What was seen last grows stale; whose connection tells why Redis does not answer.
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
  // It is written down a moment after the presence.
  const last_seen = lastSeen ?? new Date().toISOString();
  return [{ ...node, ipv6: ipv6 ? 1 : 0, agent_version: version, status: 1, last_seen }];
}
