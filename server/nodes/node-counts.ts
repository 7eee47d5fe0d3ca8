import { Counter, Gauge, type Registry } from 'prom-client';

/** Counted events of nodes and their jobs. */
const COUNTED = [
  /** Connection attempts with a wrong token, or too many attempts. */
  'refused_handshake',
  /** Messages that are not in the protocol, or that answer nothing. */
  'bad_message',
  /** Answers to jobs that were given up. */
  'late_answer',
  /** Results that are not about the target, or not possible. */
  'invalid_answer',
  /** Nodes that missed a heartbeat or were not ready in time. */
  'dropped',
  'job',
  'job_done',
] as const;
/** The name of a counted event. */
export type CountedEvent = (typeof COUNTED)[number];

/** Event counts of one process. */
export class NodeCounts {
  readonly #counts = new Map<CountedEvent, number>();

  add(event: CountedEvent): void {
    this.#counts.set(event, this.of(event) + 1);
  }

  of(event: CountedEvent): number {
    return this.#counts.get(event) ?? 0;
  }
}

/** Exports the counts and the number of connected nodes to Prometheus. */
export function addNodeMetrics(registry: Registry, counts: NodeCounts, connected: () => number): void {
  const registers = [registry];
  new Gauge({
    name: 'ipatlas_nodes_connected',
    help: 'Connected probe nodes',
    registers,
    collect() {
      this.set(connected());
    },
  });
  new Counter({
    name: 'ipatlas_node_events_total',
    help: 'Events of probe nodes, their jobs and answers',
    labelNames: ['event'],
    registers,
    collect() {
      this.reset();
      for (const event of COUNTED) this.inc({ event }, counts.of(event));
    },
  });
}
