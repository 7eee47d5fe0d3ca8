import keySlot from 'cluster-key-slot';
import type { Cluster, Redis } from 'ioredis';
import { MasterWatch } from './master-watch.js';

/** A master as this process knows it. */
export interface ClusterMaster {
  /** `host:port` */
  readonly server: string;
  readonly slots: number;
  readonly replicas: number;
  readonly isReady: boolean;
}

/** The masters of a cluster, each with its watch. They are those of the last `follow`. */
export class ClusterMasters {
  readonly #watches = new Map<Redis, MasterWatch>();
  /** By `host:port`. */
  #nodes: ReadonlyMap<string, Redis> = new Map();

  constructor(private readonly cluster: Cluster) {}

  /** Whether all masters are ready. */
  get areReady(): boolean {
    const nodes = this.cluster.nodes('master');
    return nodes.length > 0 && nodes.every((node) => this.#watches.get(node)?.isReady === true);
  }

  /** Whether some master that was followed is ready. */
  get isAnyReady(): boolean {
    return [...this.#watches.values()].some(({ isReady }) => isReady);
  }

  /** Looks for masters, which may have become others, and counts a tick of each. */
  follow(): void {
    const nodes = this.cluster.nodes('master');
    this.#nodes = new Map(nodes.map((node) => [`${node.options.host}:${node.options.port}`, node]));
    for (const [node, watch] of this.#watches) {
      if (nodes.includes(node)) continue;
      watch.close();
      this.#watches.delete(node);
    }
    for (const node of nodes) this.#watchFor(node).tick();
  }

  /** Returns the watch of the master of a key's slot; undefined while it is unknown. */
  watchOf(key: string): MasterWatch | undefined {
    const node = this.masterOf(key);
    return node && this.#watches.get(node);
  }

  /** Returns the master of a key's slot; undefined while it is unknown. */
  masterOf(key: string): Redis | undefined {
    const server = this.cluster.slots[keySlot(key)]?.[0];
    return server === undefined ? undefined : this.#nodes.get(server);
  }

  /** Returns the masters that have slots; empty while no server of the cluster is found. */
  shape(): readonly ClusterMaster[] {
    const counts = new Map<string, { slots: number; replicas: number }>();
    for (const [master, ...replicas] of this.cluster.slots.filter((servers) => servers.length > 0)) {
      const { slots } = counts.get(master!) ?? { slots: 0 };
      counts.set(master!, { slots: slots + 1, replicas: replicas.length });
    }
    return [...counts].map(([server, count]) => {
      const node = this.#nodes.get(server);
      return { server, ...count, isReady: node !== undefined && this.#watches.get(node)?.isReady === true };
    });
  }

  close(): void {
    for (const watch of this.#watches.values()) watch.close();
  }

  #watchFor(node: Redis): MasterWatch {
    const watch = this.#watches.get(node) ?? new MasterWatch(node);
    this.#watches.set(node, watch);
    return watch;
  }
}
