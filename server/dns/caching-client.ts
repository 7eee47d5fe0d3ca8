import { LRUCache } from 'lru-cache';
import { before, deadlineIn, type Deadline } from '../deadline.js';
import { UpstreamError } from '../upstream-error.js';
import type { DnsClient, DnsReply } from './dns-client.js';

/** Options of a caching client. */
export interface CacheOptions {
  /** Approximate size of the cached records; default 32 MB. */
  readonly maxBytes?: number;
  /** Another client whose cache this one shares. */
  readonly sharing?: CachingClient;
  /** Time limit for a query, independent of its callers' deadlines; default 5 s. */
  readonly budgetMs?: number;
  /** Milliseconds on a monotonic clock. */
  readonly now?: () => number;
}

/**
 * Caches replies for their TTL, at most one hour, and absence for at most five minutes. Does not cache failures.
 * Concurrent callers with the same question share one query, each with its own deadline.
 */
export class CachingClient implements DnsClient {
  readonly #replies: LRUCache<string, CachedReply>;
  readonly #inFlight: Map<string, Promise<DnsReply>>;
  readonly #budgetMs: number;
  readonly #now: () => number;
  /** Counts of questions answered from the cache and not. */
  readonly cacheUse: { hits: number; misses: number };

  constructor(
    private readonly inner: Pick<DnsClient, 'query'>,
    { maxBytes = 32 << 20, sharing, budgetMs = 5000, now = () => performance.now() }: CacheOptions = {},
  ) {
    this.#replies = sharing ? sharing.#replies : new LRUCache({ maxSize: maxBytes, sizeCalculation: sizeOf });
    this.#inFlight = sharing ? sharing.#inFlight : new Map<string, Promise<DnsReply>>();
    this.cacheUse = sharing ? sharing.cacheUse : { hits: 0, misses: 0 };
    this.#budgetMs = budgetMs;
    this.#now = now;
  }

  async query(name: string, type: string, deadline: Deadline): Promise<DnsReply> {
    const key = `${type} ${name}`;
    const cached = this.#replies.get(key);
    const now = this.#now();
    if (cached !== undefined && now < cached.expires) {
      this.cacheUse.hits++;
      return aged(cached.reply, Math.floor((now - cached.since) / 1000));
    }
    this.cacheUse.misses++;
    return await withDeadline(this.#inFlight.get(key) ?? this.#begin(key, name, type), deadline, name);
  }

  async addressesOf(name: string, deadline: Deadline): Promise<readonly string[]> {
    const v4 = await this.query(name, 'A', deadline);
    if (v4.rcode === 'NXDOMAIN') return [];
    const found = addressesIn(v4, 'A');
    if (found.length === 0) return addressesIn(await this.query(name, 'AAAA', deadline), 'AAAA');
    try {
      // Some servers never answer AAAA queries.
      const v6 = await this.query(name, 'AAAA', deadlineIn(SECOND_FAMILY_MS, deadline));
      return [...found, ...addressesIn(v6, 'AAAA')];
    } catch (error) {
      if (error instanceof UpstreamError) return found;
      throw error;
    }
  }

  #begin(key: string, name: string, type: string): Promise<DnsReply> {
    const asked = this.#ask(key, name, type).finally(() => this.#inFlight.delete(key));
    this.#inFlight.set(key, asked);
    return asked;
  }

  async #ask(key: string, name: string, type: string): Promise<DnsReply> {
    const reply = await this.inner.query(name, type, deadlineIn(this.#budgetMs));
    const since = this.#now();
    const seconds = lifetimeOf(reply, type);
    if (seconds > 0) this.#replies.set(key, { reply, since, expires: since + seconds * 1000 });
    return reply;
  }
}

interface CachedReply {
  readonly reply: DnsReply;
  /** By the cache's clock. */
  readonly since: number;
  readonly expires: number;
}

const MAX_SECONDS = 3600;
const MAX_NEGATIVE_SECONDS = 300;
/** Time limit for the AAAA query when IPv4 addresses are known. */
const SECOND_FAMILY_MS = 1000;

/** Returns how many seconds to cache a reply. 0 means not at all, such as absence without a SOA (RFC 2308 §5). */
function lifetimeOf({ rcode, records, negativeTtl = 0 }: DnsReply, type: string): number {
  const isAbsent = rcode === 'NXDOMAIN' || !records.some((record) => record.type === type);
  const limit = isAbsent ? Math.min(negativeTtl, MAX_NEGATIVE_SECONDS) : MAX_SECONDS;
  return Math.min(limit, ...records.map(({ ttl }) => ttl));
}

/** Returns a reply with its TTLs reduced by its age. */
function aged(reply: DnsReply, seconds: number): DnsReply {
  const { negativeTtl } = reply;
  return {
    ...reply,
    records: reply.records.map((record) => ({ ...record, ttl: record.ttl - seconds })),
    negativeTtl: negativeTtl === undefined ? undefined : Math.max(0, negativeTtl - seconds),
  };
}

function sizeOf({ reply }: CachedReply): number {
  return reply.records.reduce(
    (size, { name, value }) => size + RECORD_BYTES + name.length + value.length,
    500,
  );
}

/** Estimated bytes of a record object without its strings. */
const RECORD_BYTES = 150;

function addressesIn({ records }: DnsReply, type: 'A' | 'AAAA'): string[] {
  return records.filter((record) => record.type === type).map(({ value }) => value);
}

/** Rejects at the deadline. Late replies are still cached. */
function withDeadline<T>(asked: Promise<T>, deadline: Deadline, name: string): Promise<T> {
  if (deadline === Infinity) return asked;
  return before(deadline, asked, () => {
    throw new UpstreamError('timeout', `no answer from the name servers for ${name} in time`);
  });
}
