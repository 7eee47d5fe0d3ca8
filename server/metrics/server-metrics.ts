import { collectDefaultMetrics, Counter, Gauge, Registry } from 'prom-client';
import { registerDurations } from './duration-histogram.js';
import { RouteFigures, type Measured } from './route-figures.js';

/** The state of a process for its metrics. */
export interface Vitals {
  /** The current release. `buildEpoch` is in Unix seconds. */
  readonly release: { readonly id: string; readonly buildEpoch: number } | undefined;
  /** Number of releases refused since the start. */
  readonly refusedReleases: number;
  /** The newest release, when it was refused. */
  readonly refusal?: { readonly id?: string; readonly reason: string } | undefined;
  readonly isRedisUp: boolean;
  /** Connected servers of Redis: masters of a cluster, else at most 1. */
  readonly redisServers: number;
  /** The memory of Redis; undefined while it is unknown. `limitBytes` is 0 without a limit. */
  readonly redisMemory?: { readonly usedBytes: number; readonly limitBytes: number } | undefined;
}

/** Prometheus metrics of one process. */
export class ServerMetrics {
  readonly registry = new Registry();
  /** By documented path. */
  readonly #figures = new Map<string, RouteFigures>();

  constructor(vitals: () => Vitals) {
    const registers = [this.registry];
    collectDefaultMetrics({ register: this.registry });
    addAnswerCounts(registers, this.#figures);
    const name = 'ipatlas_request_duration_seconds';
    const help = 'Duration of requests, by documented path';
    registerDurations(this.registry, { name, help }, this.#figures);
    addVitals(registers, vitals);
    addRedisServers(registers, vitals);
    addRedisMemory(registers, vitals);
    addRefusals(registers, vitals);
  }

  /** Counts an answer. */
  observe(route: string, answer: Measured): void {
    let figures = this.#figures.get(route);
    if (figures === undefined) this.#figures.set(route, (figures = new RouteFigures()));
    figures.add(answer);
  }
}

function addAnswerCounts(registers: Registry[], figures: ReadonlyMap<string, RouteFigures>): void {
  new Counter({
    name: 'ipatlas_requests_total',
    help: 'Answers by documented path, HTTP status and envelope code',
    labelNames: ['route', 'status', 'code'],
    registers,
    collect() {
      this.reset();
      for (const [route, of] of figures)
        for (const { status, code, count } of of.answers()) this.inc({ route, status, code }, count);
    },
  });
}

/** Registers the state of the process. Over processes, the newest release and the worst state of Redis count. */
function addVitals(registers: Registry[], vitals: () => Vitals): void {
  new Gauge({
    name: 'ipatlas_release_info',
    help: '1 for the current release',
    labelNames: ['id'],
    aggregator: 'max',
    registers,
    collect() {
      const { release } = vitals();
      this.reset();
      if (release) this.set({ id: release.id }, 1);
    },
  });
  new Gauge({
    name: 'ipatlas_release_age_seconds',
    help: 'Seconds since the build of the current release',
    aggregator: 'min',
    registers,
    collect() {
      const { release } = vitals();
      this.reset();
      if (release) this.set(Math.floor(Date.now() / 1000) - release.buildEpoch);
    },
  });
  new Gauge({
    name: 'ipatlas_redis_up',
    help: '1 while the Redis of accounts and meters is available',
    aggregator: 'min',
    registers,
    collect() {
      this.set(vitals().isRedisUp ? 1 : 0);
    },
  });
}

/** Registers the number of connected servers of Redis. */
function addRedisServers(registers: Registry[], vitals: () => Vitals): void {
  new Gauge({
    name: 'ipatlas_redis_servers',
    help: 'Connected servers of the Redis of accounts and meters: the masters of a cluster, else 0 or 1',
    aggregator: 'min',
    registers,
    collect() {
      this.set(vitals().redisServers);
    },
  });
}

/** Registers what is known of refused releases. The reason is not shown to callers (decision 63). */
function addRefusals(registers: Registry[], vitals: () => Vitals): void {
  new Counter({
    name: 'ipatlas_releases_refused_total',
    help: 'Releases refused since the start',
    aggregator: 'max',
    registers,
    collect() {
      this.reset();
      this.inc(vitals().refusedReleases);
    },
  });
  new Gauge({
    name: 'ipatlas_release_refused',
    help: '1 for the newest release and its reason, when it was refused',
    labelNames: ['id', 'reason'],
    aggregator: 'max',
    registers,
    collect() {
      const { refusal } = vitals();
      this.reset();
      if (refusal) this.set({ id: refusal.id ?? '', reason: refusal.reason }, 1);
    },
  });
}

/** Registers the memory of Redis. All processes share it. Both metrics are absent while it is unknown. */
function addRedisMemory(registers: Registry[], vitals: () => Vitals): void {
  new Gauge({
    name: 'ipatlas_redis_memory_bytes',
    help: 'Memory that the Redis of accounts and meters uses',
    aggregator: 'max',
    registers,
    collect() {
      const { redisMemory } = vitals();
      this.reset();
      if (redisMemory) this.set(redisMemory.usedBytes);
    },
  });
  new Gauge({
    name: 'ipatlas_redis_memory_limit_bytes',
    help: 'Memory that the Redis of accounts and meters may use (maxmemory); 0 without a limit',
    aggregator: 'max',
    registers,
    collect() {
      const { redisMemory } = vitals();
      this.reset();
      if (redisMemory) this.set(redisMemory.limitBytes);
    },
  });
}
