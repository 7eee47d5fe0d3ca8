import { Resolver } from 'node:dns/promises';
import { LRUCache } from 'lru-cache';
import { leftOf, type Deadline } from '../deadline.js';
import { Failure } from '../failure.js';
import { UpstreamError } from '../upstream-error.js';
import type { HostResolver } from './host-resolver.js';

export interface StubResolverOptions {
  /** `address` or `address:port`, IPv6 with a port in brackets; the system's when empty. */
  readonly servers: readonly string[];
  /** For a name in all, A and AAAA. */
  readonly budgetMs?: number;
  /** Names whose answers are kept. */
  readonly cacheSize?: number;
}

/**
 * Asks DNS servers for addresses (RFC 1035 §5.3.1, a stub). Answers are kept as long as their TTL says; several who
 * ask for one name wait for one answer. Neither the hosts file nor search domains have a part in it.
 */
export class StubResolver implements HostResolver {
  readonly #resolver: Resolver;
  readonly #budgetMs: number;
  readonly #answers: LRUCache<string, Found>;
  readonly #inFlight = new Map<string, Promise<Found>>();

  /** Throws for a server that is no address. */
  constructor({ servers, budgetMs = 5000, cacheSize = 50_000 }: StubResolverOptions) {
    this.#resolver = new Resolver({ timeout: Math.ceil(budgetMs / 4), tries: 2 });
    if (servers.length > 0) this.#resolver.setServers(servers);
    this.#budgetMs = budgetMs;
    this.#answers = new LRUCache({ max: cacheSize });
  }

  async resolve(name: string): Promise<string | undefined> {
    const { ip } = this.#answers.get(name) ?? (await withinBudget(this.#ask(name), this.#budgetMs));
    return ip;
  }

  /** All addresses of a host, IPv4 first, never from the cache. Throws UpstreamError. */
  async addressesOf(name: string, deadline: Deadline): Promise<readonly string[]> {
    const asked = Promise.all([
      recordsOr(this.#resolver.resolve4(name)),
      recordsOr(this.#resolver.resolve6(name)),
    ]);
    try {
      return (await withinBudget(asked, leftOf(deadline))).flat();
    } catch (cause) {
      throw new UpstreamError('timeout', `no name server answers for ${name}`, { cause });
    }
  }

  #ask(name: string): Promise<Found> {
    const running = this.#inFlight.get(name);
    if (running) return running;
    const asked = this.#query(name).finally(() => this.#inFlight.delete(name));
    this.#inFlight.set(name, asked);
    return asked;
  }

  async #query(name: string): Promise<Found> {
    const a = await recordsOr(this.#resolver.resolve4(name, { ttl: true }));
    const found = a[0] ?? (await recordsOr(this.#resolver.resolve6(name, { ttl: true })))[0];
    const ttlSeconds = found ? Math.min(found.ttl, MAX_TTL_SECONDS) : NEGATIVE_TTL_SECONDS;
    const answer: Found = { ip: found?.address };
    // lru-cache takes 0 for "never expires".
    if (ttlSeconds > 0) this.#answers.set(name, answer, { ttl: ttlSeconds * 1000 });
    return answer;
  }
}

/** Who waits too long is told so; an answer that comes later is kept for the next one. */
async function withinBudget<Value>(asked: Promise<Value>, budgetMs: number): Promise<Value> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => {
      reject(silence());
    }, budgetMs);
  });
  try {
    return await Promise.race([asked, late]);
  } finally {
    clearTimeout(timer);
  }
}

interface Found {
  readonly ip: string | undefined;
}

const MAX_TTL_SECONDS = 3600;
/** The SOA record that says how long a name may be held absent (RFC 2308 §5) is not passed on by node:dns. */
const NEGATIVE_TTL_SECONDS = 60;

/** c-ares' names for NXDOMAIN, NODATA and a name that it will not ask for. */
const NO_SUCH_RECORD: ReadonlySet<string | undefined> = new Set(['ENOTFOUND', 'ENODATA', 'EBADNAME']);

async function recordsOr<Row>(rows: Promise<readonly Row[]>): Promise<readonly Row[]> {
  try {
    return await rows;
  } catch (error) {
    if (NO_SUCH_RECORD.has((error as NodeJS.ErrnoException).code)) return [];
    throw silence(error);
  }
}

function silence(cause?: unknown): Failure {
  return new Failure(502, 'the name servers did not answer', {}, { cause });
}
