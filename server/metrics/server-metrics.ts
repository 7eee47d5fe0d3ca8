import { collectDefaultMetrics, Counter, Gauge, Histogram, Registry } from 'prom-client';

/** What a process knows of itself when it is asked for its measures. */
export interface Vitals {
  /** Of the release that is served: its id and its build's Unix seconds. */
  readonly release: { readonly id: string; readonly buildEpoch: number } | undefined;
  /** How many releases were refused since the start. */
  readonly refusedReleases: number;
  readonly isRedisUp: boolean;
}

/** Measures of one process, for Prometheus. */
export class ServerMetrics {
  readonly registry = new Registry();
  readonly #durations: Histogram<'route'>;
  readonly #requests: Counter<'route' | 'status' | 'code'>;

  constructor(vitals: () => Vitals) {
    const registers = [this.registry];
    collectDefaultMetrics({ register: this.registry });
    this.#requests = new Counter({
      name: 'ipatlas_requests_total',
      help: 'Answers by documented path, HTTP status and code of the envelope',
      labelNames: ['route', 'status', 'code'],
      registers,
    });
    this.#durations = new Histogram({
      name: 'ipatlas_request_duration_seconds',
      help: 'From the request to its answer, by documented path',
      labelNames: ['route'],
      buckets: [0.001, 0.0025, 0.005, 0.01, 0.025, 0.1, 0.5, 2.5, 10, 60],
      registers,
    });
    addVitals(registers, vitals);
  }

  /** Counts one answer. */
  observe(
    route: string,
    answer: { readonly status: number; readonly code: number; readonly seconds: number },
  ): void {
    this.#requests.inc({ route, status: answer.status, code: answer.code });
    this.#durations.observe({ route }, answer.seconds);
  }
}

/** All processes serve the same release, or soon will: the newest counts, and the worst state of Redis. */
function addVitals(registers: Registry[], vitals: () => Vitals): void {
  new Gauge({
    name: 'ipatlas_release_info',
    help: 'The release that is served',
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
    help: 'Since the build of the release that is served',
    aggregator: 'min',
    registers,
    collect() {
      const { release } = vitals();
      this.reset();
      if (release) this.set(Math.floor(Date.now() / 1000) - release.buildEpoch);
    },
  });
  new Counter({
    name: 'ipatlas_releases_refused_total',
    help: 'Releases that were refused since the start',
    aggregator: 'max',
    registers,
    collect() {
      this.reset();
      this.inc(vitals().refusedReleases);
    },
  });
  new Gauge({
    name: 'ipatlas_redis_up',
    help: '1 while the Redis of accounts and meters answers',
    aggregator: 'min',
    registers,
    collect() {
      this.set(vitals().isRedisUp ? 1 : 0);
    },
  });
}
