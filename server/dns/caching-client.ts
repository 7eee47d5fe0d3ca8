import { LRUCache } from 'lru-cache';
import { before, deadlineIn, type Deadline } from '../deadline.js';
import { UpstreamError } from '../upstream-error.js';
import type { DnsClient, DnsReply } from './dns-client.js';

export interface CacheOptions {
  /** Of the records' text, roughly; 32 MB. */
  readonly maxBytes?: number;
  /** Another one's replies are its own too. */
  readonly sharing?: CachingClient;
  /** For a question that nobody waits for any longer; 5 s. */
  readonly budgetMs?: number;
  /** Milliseconds that only go forward. */
  readonly now?: () => number;
}

/**
 * Keeps replies for as long as they say, one hour at most and absence five minutes; failures never. Several who ask the
 * same wait for one reply, each as long as he can.
 */
export class CachingClient implements DnsClient {
  readonly #replies: LRUCache<string, Kept>;
  readonly #inFlight: Map<string, Promise<DnsReply>>;
  readonly #budgetMs: number;
  readonly #now: () => number;
  /** Questions that were answered from here, and those that were not. */
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
    const kept = this.#replies.get(key);
    const now = this.#now();
    if (kept !== undefined && now < kept.expires) {
      this.cacheUse.hits++;
      return aged(kept.reply, Math.floor((now - kept.since) / 1000));
    }
    this.cacheUse.misses++;
    return await inTime(this.#inFlight.get(key) ?? this.#begin(key, name, type), deadline, name);
  }

  async addressesOf(name: string, deadline: Deadline): Promise<readonly string[]> {
    const v4 = await this.query(name, 'A', deadline);
    if (v4.rcode === 'NXDOMAIN') return [];
    const found = addressesIn(v4, 'A');
    if (found.length === 0) return addressesIn(await this.query(name, 'AAAA', deadline), 'AAAA');
    try {
      // There are servers that never answer for AAAA.
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

interface Kept {
  readonly reply: DnsReply;
  /** By the cache's clock, as the other is. */
  readonly since: number;
  readonly expires: number;
}

const MAX_SECONDS = 3600;
const MAX_NEGATIVE_SECONDS = 300;
/** How long who has IPv4 addresses waits for those of IPv6. */
const SECOND_FAMILY_MS = 1000;

/** Seconds; 0 for what is not to be kept, such as absence that no SOA vouches for (RFC 2308 §5). */
function lifetimeOf({ rcode, records, negativeTtl = 0 }: DnsReply, type: string): number {
  const isAbsent = rcode === 'NXDOMAIN' || !records.some((record) => record.type === type);
  const limit = isAbsent ? Math.min(negativeTtl, MAX_NEGATIVE_SECONDS) : MAX_SECONDS;
  return Math.min(limit, ...records.map(({ ttl }) => ttl));
}

/** The reply some seconds later. */
function aged(reply: DnsReply, seconds: number): DnsReply {
  const { negativeTtl } = reply;
  return {
    ...reply,
    records: reply.records.map((record) => ({ ...record, ttl: record.ttl - seconds })),
    negativeTtl: negativeTtl === undefined ? undefined : Math.max(0, negativeTtl - seconds),
  };
}

function sizeOf({ reply }: Kept): number {
  return reply.records.reduce(
    (size, { name, value }) => size + RECORD_BYTES + name.length + value.length,
    500,
  );
}

/** An object with its fields. */
const RECORD_BYTES = 150;

function addressesIn({ records }: DnsReply, type: 'A' | 'AAAA'): string[] {
  return records.filter((record) => record.type === type).map(({ value }) => value);
}

/** Who waits too long is told so; a reply that comes later is kept for the next one. */
function inTime<T>(asked: Promise<T>, deadline: Deadline, name: string): Promise<T> {
  if (deadline === Infinity) return asked;
  return before(deadline, asked, () => {
    throw new UpstreamError('timeout', `no name server has answered for ${name} yet`);
  });
}
