import { randomUUID } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import { leftOf, type Deadline } from '../deadline.js';
import type { EgressGuard } from '../egress/egress-guard.js';
import { whyInvalid } from './invalid-answer.js';
import type { NodeFaults } from './node-faults.js';
import type { NodeCounts } from './node-counts.js';
import type { NodeProbe, NodeProbeResult } from './node-relay.js';
import type { NodeSocket } from './node-socket.js';
import type { AgentMessage } from './protocol.js';

/** What jobs need. */
export interface PendingJobsParts {
  readonly socket: Pick<NodeSocket, 'send'>;
  /** A node that has not acknowledged a job by then counts as silent. */
  readonly ackMs: number;
  readonly counts: NodeCounts;
  readonly guard: EgressGuard;
  readonly faults: NodeFaults;
}

/** A message that ends a job. */
export type JobAnswer = Extract<AgentMessage, { type: 'result' | 'refused' }>;

/** The unanswered jobs of one node, each with its deadline. */
export class PendingJobs {
  readonly #jobs = new Map<string, Job>();
  /** Jobs that were given up, and whether they were acknowledged. Their late messages are not the node's fault. */
  readonly #givenUp = new LRUCache<string, { isAcknowledged: boolean }>({ max: 1000 });
  #idle: (() => void) | undefined;

  constructor(private readonly parts: PendingJobsParts) {}

  /** Sends a job and waits for its answer. */
  run(probe: NodeProbe, deadline: Deadline): Promise<NodeProbeResult> {
    const leftMs = leftOf(deadline);
    if (leftMs === 0) return Promise.resolve(SILENT);
    const { socket, ackMs, counts } = this.parts;
    const { host, port } = probe;
    const id = randomUUID();
    counts.add('job');
    return new Promise((answer) => {
      const giveUp = (): void => {
        this.#givenUp.set(id, { isAcknowledged: this.#jobs.get(id)?.isAcknowledged === true });
        this.#settle(id, SILENT);
      };
      const ackTimer = setTimeout(giveUp, Math.min(ackMs, leftMs));
      const deadlineTimer = setTimeout(giveUp, leftMs);
      this.#jobs.set(id, { probe, answer, ackTimer, deadlineTimer, isAcknowledged: false });
      socket.send({ type: 'job', id, host, port, leftMs });
    });
  }

  /** Records that the node has accepted a job. Returns false if there is no such job, or it was accepted before. */
  acknowledge(id: string): boolean {
    const job = this.#jobs.get(id) ?? this.#givenUp.get(id);
    if (job === undefined || job.isAcknowledged) return false;
    job.isAcknowledged = true;
    clearTimeout(this.#jobs.get(id)?.ackTimer);
    return true;
  }

  /** Settles a job with the node's answer. Only counts a late answer. Returns false if no job waits for it. */
  answer(message: JobAnswer): boolean {
    const { id } = message;
    const job = this.#jobs.get(id);
    if (job === undefined) {
      if (!this.#givenUp.delete(id)) return false;
      this.parts.counts.add('late_answer');
      return true;
    }
    this.parts.counts.add('job_done');
    this.#settle(id, this.#resultOf(job.probe, message));
    return true;
  }

  /** Resolves when no job is pending. */
  async untilIdle(): Promise<void> {
    if (this.#jobs.size > 0) await new Promise<void>((resolve) => (this.#idle = resolve));
  }

  /** Settles all jobs as silent, because the node is gone. */
  giveUp(): void {
    for (const id of [...this.#jobs.keys()]) this.#settle(id, SILENT);
  }

  #resultOf(probe: NodeProbe, message: JobAnswer): NodeProbeResult {
    if (message.type === 'refused') return { kind: kindOf(message.reason) };
    const measured = { kind: 'done', ip: message.ip, rtts: message.rtts } as const;
    const why = whyInvalid(probe, measured, this.parts.guard);
    if (why === undefined) return measured;
    this.parts.faults.invalidAnswer(why);
    return { kind: 'invalid' };
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
  readonly probe: NodeProbe;
  readonly answer: (result: NodeProbeResult) => void;
  readonly ackTimer: NodeJS.Timeout;
  readonly deadlineTimer: NodeJS.Timeout;
  isAcknowledged: boolean;
}

const SILENT: NodeProbeResult = { kind: 'silent' };

/** Maps a refusal to a result. Only two reasons are about the target. */
function kindOf(
  reason: Extract<JobAnswer, { type: 'refused' }>['reason'],
): 'not-public' | 'not-found' | 'refused' {
  return reason === 'not-public' || reason === 'not-found' ? reason : 'refused';
}
