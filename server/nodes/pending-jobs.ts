import { randomUUID } from 'node:crypto';
import { leftOf, type Deadline } from '../deadline.js';
import type { NodeCounts } from './node-counts.js';
import type { NodeProbe, NodeProbeResult } from './node-relay.js';
import type { NodeSocket } from './node-socket.js';

/** What jobs need. */
export interface PendingJobsParts {
  readonly socket: Pick<NodeSocket, 'send'>;
  /** A node that has not acknowledged a job by then counts as silent. */
  readonly ackMs: number;
  readonly counts: NodeCounts;
}

/** The unanswered jobs of one node, each with its deadline. */
export class PendingJobs {
  readonly #jobs = new Map<string, Job>();
  #idle: (() => void) | undefined;

  constructor(private readonly parts: PendingJobsParts) {}

  /** Sends a job and waits for its answer. */
  run({ host, port }: NodeProbe, deadline: Deadline): Promise<NodeProbeResult> {
    const leftMs = leftOf(deadline);
    if (leftMs === 0) return Promise.resolve(SILENT);
    const { socket, ackMs, counts } = this.parts;
    const id = randomUUID();
    counts.add('job');
    return new Promise((answer) => {
      const giveUp = (): void => {
        this.#settle(id, SILENT);
      };
      const ackTimer = setTimeout(giveUp, Math.min(ackMs, leftMs));
      const deadlineTimer = setTimeout(giveUp, leftMs);
      this.#jobs.set(id, { answer, ackTimer, deadlineTimer });
      socket.send({ type: 'job', id, host, port, leftMs });
    });
  }

  /** Records that the node has accepted a job. */
  acknowledge(id: string): void {
    clearTimeout(this.#jobs.get(id)?.ackTimer);
  }

  /** Settles a job with the node's answer. An unexpected or late answer is only counted. */
  answer(id: string, result: NodeProbeResult): void {
    this.parts.counts.add(this.#jobs.has(id) ? 'job_done' : 'late_answer');
    this.#settle(id, result);
  }

  /** Resolves when no job is pending. */
  async untilIdle(): Promise<void> {
    if (this.#jobs.size > 0) await new Promise<void>((resolve) => (this.#idle = resolve));
  }

  /** Settles all jobs as silent, because the node is gone. */
  giveUp(): void {
    for (const id of [...this.#jobs.keys()]) this.#settle(id, SILENT);
  }

  #settle(id: string, result: NodeProbeResult): void {
    const job = this.#jobs.get(id);
    if (job === undefined) return;
    this.#jobs.delete(id);
    clearTimeout(job.ackTimer);
    clearTimeout(job.deadlineTimer);
    job.answer(result);
    if (this.#jobs.size === 0) this.#idle?.();
  }
}

interface Job {
  readonly answer: (result: NodeProbeResult) => void;
  readonly ackTimer: NodeJS.Timeout;
  readonly deadlineTimer: NodeJS.Timeout;
}

const SILENT: NodeProbeResult = { kind: 'silent' };
