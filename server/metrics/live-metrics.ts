import { Counter, Gauge, type Registry } from 'prom-client';

/** Hits and misses of a cache. */
export interface CacheUse {
  readonly hits: number;
  readonly misses: number;
}

/** Figures of a process about its upstream calls. */
export interface LiveFigures {
  /** By resolver name. */
  readonly breakerStates: () => ReadonlyMap<string, 'closed' | 'open' | 'half-open'>;
  readonly probesRunning: () => number;
  readonly cacheUse: Readonly<Record<'dns' | 'whois', CacheUse>>;
}

/** Registers the figures as metrics. All are summed over processes. */
export function addLiveMetrics(
  registry: Registry,
  { breakerStates, probesRunning, cacheUse }: LiveFigures,
): void {
  const registers = [registry];
  new Gauge({
    name: 'ipatlas_resolvers_left_alone',
    help: 'Processes that pause queries to a DNS-over-HTTPS resolver after repeated failures',
    labelNames: ['resolver'],
    registers,
    collect() {
      this.reset();
      // Half-open counts as paused: the resolver has not answered since its failures.
      for (const [resolver, state] of breakerStates()) this.set({ resolver }, state === 'closed' ? 0 : 1);
    },
  });
  new Gauge({
    name: 'ipatlas_probes_running',
    help: 'Running TCP probes from this server, without those of nodes',
    registers,
    collect() {
      this.set(probesRunning());
    },
  });
  new Counter({
    name: 'ipatlas_cache_lookups_total',
    help: 'Lookups in the caches of DNS and whois, by result',
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
