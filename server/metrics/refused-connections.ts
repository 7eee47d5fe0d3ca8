import type { Logger } from 'pino';
import { Counter, Gauge, type Registry } from 'prom-client';
import type { RefusedFor } from '../http/connection-limits.js';

const MINUTE_MS = 60_000;
/** Lines a minute, of all sources together. */
const MOST_LINES = 100;

const MESSAGES: Readonly<Record<RefusedFor, (source: string) => string>> = {
  total: (source) => `refused a connection from ${source}: the limit MAX_CONNECTIONS is reached`,
  source: (source) => `refused a connection from ${source}: its limit MAX_CONNECTIONS_PER_SOURCE is reached`,
  idle: (source) => `ended an idle connection from ${source}: the limit MAX_CONNECTIONS is reached`,
  pipelining: (source) => `ended a connection from ${source}: too many requests wait for their answers`,
};

/** Counts and logs refused and ended connections: at most one line per source, reason and minute. */
export class RefusedConnections {
  readonly #counts: Record<RefusedFor, number> = { total: 0, source: 0, idle: 0, pipelining: 0 };
  readonly #logged = new Set<string>();
  #minute = 0;

  constructor(
    private readonly log: Pick<Logger, 'warn'>,
    private readonly now: () => number = Date.now,
  ) {}

  add(reason: RefusedFor, source: string): void {
    this.#counts[reason]++;
    const minute = Math.floor(this.now() / MINUTE_MS);
    if (minute !== this.#minute) this.#logged.clear();
    this.#minute = minute;
    const what = `${reason} ${source}`;
    if (this.#logged.has(what) || this.#logged.size >= MOST_LINES) return;
    this.#logged.add(what);
    this.log.warn(MESSAGES[reason](source));
  }

  /** Registers the metrics. `open` returns the number of open connections. */
  addMetrics(registry: Registry, open: () => number): void {
    const registers = [registry];
    const counts = this.#counts;
    new Counter({
      name: 'ipatlas_connections_refused_total',
      help: 'Connections refused or ended by a limit, by reason',
      labelNames: ['reason'],
      registers,
      collect() {
        this.reset();
        for (const [reason, count] of Object.entries(counts)) this.inc({ reason }, count);
      },
    });
    new Gauge({
      name: 'ipatlas_connections_open',
      help: 'Open connections',
      registers,
      collect() {
        this.set(open());
      },
    });
  }
}
