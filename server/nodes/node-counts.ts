import { Counter, Gauge, type Registry } from 'prom-client';

/** What happens to nodes and their answers, by name. */
const COUNTED = [
  /** Their token was none, or they tried too often. */
  'refused_handshake',
  /** What they said was not in the protocol. */
  'bad_message',
  /** Answers to what was not, or not any more, asked of them. */
  'late_answer',
  /** Answers that named an address that is not public. */
  'not_public_answer',
  /** They missed a heartbeat or were late otherwise. */
  'dropped',
  'job',
  'job_done',
] as const;
export type CountedEvent = (typeof COUNTED)[number];

/** Counts of one process. */
export class NodeCounts {
  readonly #counts = new Map<CountedEvent, number>();

  add(event: CountedEvent): void {
    this.#counts.set(event, this.of(event) + 1);
  }

  of(event: CountedEvent): number {
    return this.#counts.get(event) ?? 0;
  }
}

/** Shows the counts, and the nodes that are connected to this process, to Prometheus. */
export function addNodeMetrics(registry: Registry, counts: NodeCounts, connected: () => number): void {
  const registers = [registry];
  new Gauge({
    name: 'ipatlas_nodes_connected',
    help: 'Probe nodes whose connections are held',
    registers,
    collect() {
      this.set(connected());
    },
  });
  new Counter({
    name: 'ipatlas_node_events_total',
    help: 'What happened to probe nodes, their jobs and answers',
    labelNames: ['event'],
    registers,
    collect() {
      this.reset();
      for (const event of COUNTED) this.inc({ event }, counts.of(event));
    },
  });
}
