import { LRUCache } from 'lru-cache';
import { deadlineIn, leftOf } from '../../deadline.js';
import type { PublicHosts } from '../../egress/public-hosts.js';
import { ProbeRefused, type Prober } from '../../probe/prober.js';
import { parseTarget } from '../../targets/target.js';
import { UpstreamError } from '../../upstream-error.js';
import { ATTEMPT_MS, ATTEMPTS, type AgentMessage, type ServerMessage } from '../protocol.js';

/** What a node is asked to do. */
export type Job = Omit<Extract<ServerMessage, { type: 'job' }>, 'type'>;
/** What it says in the end. */
export type JobAnswer = Extract<AgentMessage, { type: 'result' | 'refused' }>;

/** What jobs are done with. */
export interface RunnerParts {
  readonly hosts: Pick<PublicHosts, 'find'>;
  readonly prober: Prober;
  /** Jobs at the same time. */
  readonly most: number;
  /** After so long a job is forgotten, whatever becomes of it, and its id may come again. */
  readonly forgetMs?: number;
}

const FORGET_MS = 40_000;
/** Leaves time for 4 attempts before the server stops waiting (ruling 34). */
const RESOLVE_MS = 1500;

/** Does the jobs of a node: resolves the host once itself, holds the addresses against the guard, and tries one. */
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

  /** `accept` is called when the job is going to be done. Nothing comes back of a job that was forgotten. */
  async run(job: Job, accept: () => void): Promise<JobAnswer | undefined> {
    const { id } = job;
    const reason = this.#whyNot(id);
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

  /** Refuses jobs from now on, and waits for those that run. */
  async drain(): Promise<void> {
    this.#isLeaving = true;
    if (this.#running.size > 0) await new Promise<void>((resolve) => (this.#idle = resolve));
  }

  #whyNot(id: string): 'leaving' | 'duplicate' | 'busy' | undefined {
    if (this.#isLeaving) return 'leaving';
    if (this.#seen.has(id)) return 'duplicate';
    return this.#running.size >= this.parts.most ? 'busy' : undefined;
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
