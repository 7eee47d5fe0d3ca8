import { deadlineIn, type Deadline } from '../deadline.js';
import { UpstreamError } from '../upstream-error.js';
import type { RegistryClient } from './registry-client.js';
import type { WhoisCache } from './whois-cache.js';
import type { WhoisAnswer, WhoisTarget } from './whois-record.js';

/** The two ways to the registries, and what they said before. */
export interface WhoisParts {
  readonly rdap: RegistryClient;
  readonly port43: RegistryClient;
  readonly cache: Pick<WhoisCache, 'read' | 'write'>;
  /** Milliseconds for each way, and for both together; ruling 25's by default. */
  readonly budgets?: { readonly eachMs: number; readonly totalMs: number };
}

/** Asks the registries: by RDAP first, by whois on port 43 where that fails or serves nobody (ruling 25). */
export class WhoisLookup {
  readonly #running = new Map<string, Promise<WhoisAnswer>>();
  /** Questions that the cache knew an answer to, and those that went to registries. */
  readonly cacheUse = { hits: 0, misses: 0 };

  constructor(private readonly parts: WhoisParts) {}

  /** Several who ask for the same at once wait for one answer. Throws UpstreamError when nobody answers. */
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
    const kept = known ? Promise.resolve() : cache.write(key, answer, ttlSecondsOf(target, answer));
    // Who comes until it is kept has this one; nobody waits for that.
    void kept.finally(() => this.#running.delete(key));
    return answer;
  }

  async #ask(target: WhoisTarget, total: Deadline): Promise<WhoisAnswer> {
    const { rdap, port43, budgets: { eachMs } = BUDGETS } = this.parts;
    const first = await answerOrFailure(rdap.ask(target, deadlineIn(eachMs, total)));
    if (!(first instanceof UpstreamError) && first.kind !== 'no-registry') return first;
    const second = await answerOrFailure(port43.ask(target, deadlineIn(eachMs, total)));
    if (second instanceof UpstreamError) throw first instanceof UpstreamError ? both(first, second) : second;
    // Somebody is known who could be asked, and was silent.
    if (second.kind === 'no-registry' && first instanceof UpstreamError) throw first;
    return second;
  }
}

const BUDGETS = { eachMs: 6000, totalMs: 12_000 } as const;

/** Whoever reads the log should know why neither way led anywhere. */
function both(rdap: UpstreamError, port43: UpstreamError): UpstreamError {
  return new UpstreamError(port43.reason, `RDAP: ${rdap.message}; port 43: ${port43.message}`, {
    cause: port43,
  });
}

/** `domain example.com`, `ip 192.0.2.0/24`, `asn 64500` */
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

/** Ruling 25; what is not there may be there soon, whatever it is. */
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
