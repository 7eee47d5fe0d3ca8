import { deadlineIn, type Deadline } from '../deadline.js';
import { UpstreamError } from '../upstream-error.js';
import type { WhoisCache } from './whois-cache.js';
import type { WhoisAnswer, WhoisClient, WhoisTarget } from './whois-record.js';

/** The two protocols and the cache. */
export interface WhoisParts {
  readonly rdap: WhoisClient;
  readonly port43: WhoisClient;
  readonly cache: Pick<WhoisCache, 'read' | 'write'>;
  /** Time limits in milliseconds per protocol and in total; default: those of decision 25. */
  readonly budgets?: { readonly eachMs: number; readonly totalMs: number };
}

/**
 * Looks up registration data: in the cache, then by RDAP, then by whois on port 43 if RDAP fails or lists no server
 * (decision 25).
 */
export class WhoisLookup {
  readonly #running = new Map<string, Promise<WhoisAnswer>>();
  /** Counts of lookups answered from the cache and not. */
  readonly cacheUse = { hits: 0, misses: 0 };

  constructor(private readonly parts: WhoisParts) {}

  /** Looks up a target. Concurrent callers with the same target share one lookup. Throws UpstreamError if both fail. */
  lookup(target: WhoisTarget): Promise<WhoisAnswer> {
    const key = keyOf(target);
    const running = this.#running.get(key);
    if (running) return running;
    const answer = this.#find(key, target);
    this.#running.set(key, answer);
    answer.catch(() => this.#running.delete(key));
    return answer;
  }

  async #find(key: string, target: WhoisTarget): Promise<WhoisAnswer> {
    const { cache, budgets = BUDGETS } = this.parts;
    const known = await cache.read(key);
    this.cacheUse[known === undefined ? 'misses' : 'hits']++;
    const answer = known ?? (await this.#ask(target, deadlineIn(budgets.totalMs)));
    const cached = known ? Promise.resolve() : cache.write(key, answer, ttlSecondsOf(target, answer));
    // Until the answer is cached, new callers get it from here. This caller does not wait for that.
    void cached.finally(() => this.#running.delete(key));
    return answer;
  }

  async #ask(target: WhoisTarget, total: Deadline): Promise<WhoisAnswer> {
    const { rdap, port43, budgets: { eachMs } = BUDGETS } = this.parts;
    const first = await answerOrFailure(rdap.ask(target, deadlineIn(eachMs, total)));
    if (!(first instanceof UpstreamError) && first.kind !== 'no-server') return first;
    const second = await answerOrFailure(port43.ask(target, deadlineIn(eachMs, total)));
    if (second instanceof UpstreamError) throw first instanceof UpstreamError ? both(first, second) : second;
    // A server is listed but failed: that failure is more accurate than "no server".
    if (second.kind === 'no-server' && first instanceof UpstreamError) throw first;
    return second;
  }
}

const BUDGETS = { eachMs: 6000, totalMs: 12_000 } as const;

/** Combines both failures, so that the log shows why each protocol failed. */
function both(rdap: UpstreamError, port43: UpstreamError): UpstreamError {
  return new UpstreamError(port43.reason, `RDAP: ${rdap.message}; port 43: ${port43.message}`, {
    cause: port43,
  });
}

/** Returns the cache key: `domain example.com`, `ip 192.0.2.0/24`, `asn 64500`. */
function keyOf(target: WhoisTarget): string {
  switch (target.kind) {
    case 'domain':
      return `domain ${target.name}`;
    case 'asn':
      return `asn ${target.asn}`;
    case 'ip':
      return `ip ${target.ip}${target.length === undefined ? '' : `/${target.length}`}`;
  }
}

/** Returns how long to cache an answer (decision 25). Absence is cached briefly because it may end at any time. */
function ttlSecondsOf({ kind }: WhoisTarget, answer: WhoisAnswer): number {
  if (answer.kind !== 'found') return 5 * 60;
  return kind === 'domain' ? 60 * 60 : 12 * 60 * 60;
}

async function answerOrFailure(answer: Promise<WhoisAnswer>): Promise<WhoisAnswer | UpstreamError> {
  try {
    return await answer;
  } catch (error) {
    if (error instanceof UpstreamError) return error;
    throw error;
  }
}
