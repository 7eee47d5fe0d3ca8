import { LRUCache } from 'lru-cache';
import { deadlineIn, leftOf } from '../../deadline.js';
import type { PublicHosts } from '../../egress/public-hosts.js';
import { ProbeRefused, type Prober } from '../../probe/prober.js';
import { parseTarget } from '../../targets/target.js';
import { UpstreamError } from '../../upstream-error.js';
import { ATTEMPT_MS, ATTEMPTS, type AgentMessage, type ServerMessage } from '../protocol.js';

/** A job of a node. */
export type Job = Omit<Extract<ServerMessage, { type: 'job' }>, 'type'>;
/** The answer to a job. */
export type JobAnswer = Extract<AgentMessage, { type: 'result' | 'refused' }>;

/** What jobs need. */
export interface RunnerParts {
  readonly hosts: Pick<PublicHosts, 'find'>;
  readonly prober: Prober;
  /** Limit of concurrent jobs. */
  readonly maxJobs: number;
  /** Time after which an unfinished job is forgotten and its id may be reused; default 40 s. */
  readonly forgetMs?: number;
}

const FORGET_MS = 40_000;
/** Leaves enough time for 4 attempts before the server's deadline (decision 34). */
const RESOLVE_MS = 1500;

/** Runs the jobs of a node: resolves the host once, checks its addresses with the guard, and probes one. */
export class JobRunner {
  readonly #seen: LRUCache<string, true>;
  readonly #running = new Set<string>();
  readonly #forgetMs: number;
  #isLeaving = false;
  #idle: (() => void) | undefined;

  constructor(private readonly parts: RunnerParts) {
    this.#forgetMs = parts.forgetMs ?? FORGET_MS;
    this.#seen = new LRUCache({ max: 10_000, ttl: this.#forgetMs });
  }

  get size(): number {
    return this.#running.size;
  }

  /** Runs a job. Calls `accept` unless the job is refused. Returns undefined for a job that was forgotten meanwhile. */
  async run(job: Job, accept: () => void): Promise<JobAnswer | undefined> {
    const { id } = job;
    const reason = this.#refusalReason(id);
    if (reason !== undefined) return { type: 'refused', id, reason };
    this.#seen.set(id, true);
    this.#running.add(id);
    const forget = setTimeout(() => {
      this.#forget(id);
    }, this.#forgetMs);
    accept();
    try {
      const answer = await this.#do(job);
      return this.#running.has(id) ? answer : undefined;
    } finally {
      clearTimeout(forget);
      this.#forget(id);
    }
  }

  /** Refuses further jobs and waits for running ones. */
  async drain(): Promise<void> {
    this.#isLeaving = true;
    if (this.#running.size > 0) await new Promise<void>((resolve) => (this.#idle = resolve));
  }

  #refusalReason(id: string): 'leaving' | 'duplicate' | 'busy' | undefined {
    if (this.#isLeaving) return 'leaving';
    if (this.#seen.has(id)) return 'duplicate';
    return this.#running.size >= this.parts.maxJobs ? 'busy' : undefined;
  }

  async #do({ id, host, port, leftMs }: Job): Promise<JobAnswer> {
    const target = parseTarget(host);
    if (target === undefined) return { type: 'refused', id, reason: 'malformed' };
    const deadline = deadlineIn(leftMs);
    try {
      const found = await this.parts.hosts.find(target, deadlineIn(RESOLVE_MS, deadline));
      if (found.kind === 'none') return { type: 'refused', id, reason: 'not-found' };
      if (found.kind === 'not-public') return { type: 'refused', id, reason: 'not-public' };
      const [ip] = found.ips;
      const timeoutMs = Math.max(1, Math.min(ATTEMPT_MS, leftOf(deadline)));
      return {
        type: 'result',
        id,
        ip,
        rtts: [...(await this.parts.prober.probe({ ip, port, count: ATTEMPTS, timeoutMs }))],
      };
    } catch (error) {
      if (error instanceof UpstreamError) return { type: 'refused', id, reason: 'unresolved' };
      if (error instanceof ProbeRefused) return { type: 'refused', id, reason: 'busy' };
      throw error;
    }
  }

  #forget(id: string): void {
    if (this.#running.delete(id) && this.#running.size === 0) this.#idle?.();
  }
}
