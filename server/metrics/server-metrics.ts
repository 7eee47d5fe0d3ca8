import { collectDefaultMetrics, Counter, Gauge, Registry } from 'prom-client';
import { registerDurations } from './duration-histogram.js';
import { RouteFigures, type Measured } from './route-figures.js';

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
  /** By documented path. */
  readonly #figures = new Map<string, RouteFigures>();

  constructor(vitals: () => Vitals) {
    const registers = [this.registry];
    collectDefaultMetrics({ register: this.registry });
    addAnswerCounts(registers, this.#figures);
    const name = 'ipatlas_request_duration_seconds';
    const help = 'From the request to its answer, by documented path';
    registerDurations(this.registry, { name, help }, this.#figures);
    addVitals(registers, vitals);
  }

  /** Counts one answer. */
  observe(route: string, answer: Measured): void {
    let figures = this.#figures.get(route);
    if (figures === undefined) this.#figures.set(route, (figures = new RouteFigures()));
    figures.add(answer);
  }
}

function addAnswerCounts(registers: Registry[], figures: ReadonlyMap<string, RouteFigures>): void {
  new Counter({
    name: 'ipatlas_requests_total',
    help: 'Answers by documented path, HTTP status and code of the envelope',
    labelNames: ['route', 'status', 'code'],
    registers,
    collect() {
      this.reset();
      for (const [route, of] of figures)
        for (const { status, code, count } of of.answers()) this.inc({ route, status, code }, count);
    },
  });
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
