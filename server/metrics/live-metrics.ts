import { Counter, Gauge, type Registry } from 'prom-client';

/** How often a cache had the answer. */
export interface CacheUse {
  readonly hits: number;
  readonly misses: number;
}

/** What a process knows of its own calls to the world. */
export interface LiveFigures {
  /** By name of the server. */
  readonly breakerStates: () => ReadonlyMap<string, 'closed' | 'open' | 'half-open'>;
  readonly probesRunning: () => number;
  readonly cacheUse: Readonly<Record<'dns' | 'whois', CacheUse>>;
}

/** Shows them to Prometheus; all of them are summed over processes. */
export function addLiveMetrics(
  registry: Registry,
  { breakerStates, probesRunning, cacheUse }: LiveFigures,
): void {
  const registers = [registry];
  new Gauge({
    name: 'ipatlas_resolvers_left_alone',
    help: 'Processes that ask a resolver over HTTPS no more for a while, because it has failed again and again',
    labelNames: ['resolver'],
    registers,
    collect() {
      this.reset();
      // One whose rest is over and that nobody has tried yet is still not known to be well.
      for (const [resolver, state] of breakerStates()) this.set({ resolver }, state === 'closed' ? 0 : 1);
    },
  });
  new Gauge({
    name: 'ipatlas_probes_running',
    help: 'TCP probes that run from here; those of nodes are not among them',
    registers,
    collect() {
      this.set(probesRunning());
    },
  });
  new Counter({
    name: 'ipatlas_cache_lookups_total',
    help: 'Questions to the caches of DNS and whois, and whether the answer was there',
    labelNames: ['cache', 'result'],
    registers,
    collect() {
      this.reset();
      for (const [cache, { hits, misses }] of Object.entries(cacheUse)) {
        this.inc({ cache, result: 'hit' }, hits);
        this.inc({ cache, result: 'miss' }, misses);
      }
    },
  });
}
