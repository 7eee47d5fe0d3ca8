import { LRUCache } from 'lru-cache';
import { before, deadlineIn } from '../deadline.js';
import type { ReservedSpace } from '../targets/reserved-space.js';
import { parseTargetAddress } from '../targets/target.js';
import { UpstreamError } from '../upstream-error.js';
import type { DnsClient, DnsReply } from './dns-client.js';
import { reverseNameOf } from './reverse-name.js';

/** The names of some addresses. Keys and entries are the texts the caller wrote. */
export interface ReverseNames {
  /** Host names without a trailing dot. `''` for an address without a name. */
  readonly resolved: Readonly<Record<string, string>>;
  /** Addresses without a result yet. The caller may ask again. */
  readonly pending: readonly string[];
}

/** What reverse DNS needs. */
export interface ReverseDnsOptions {
  readonly dns: Pick<DnsClient, 'query'>;
  readonly reserved: ReservedSpace;
  /** How long a call waits for its lookups; default 3 s. */
  readonly waitMs?: number;
}

/**
 * Looks up host names of addresses in bulk (decision 29). Caches names for at least a minute whatever their TTL, so
 * that a list looked up six at a time completes.
 */
export class ReverseDns {
  readonly #dns: Pick<DnsClient, 'query'>;
  readonly #reserved: ReservedSpace;
  readonly #waitMs: number;
  /** By address in the form of `Target`. */
  readonly #names = new LRUCache<string, string>({ max: 200_000 });
  readonly #inFlight = new Map<string, Promise<void>>();
  /** Addresses whose lookup failed recently. */
  readonly #failed = new LRUCache<string, true>({ max: 10_000, ttl: FAILED_MS });

  constructor({ dns, reserved, waitMs = 3000 }: ReverseDnsOptions) {
    this.#dns = dns;
    this.#reserved = reserved;
    this.#waitMs = waitMs;
  }

  /**
   * Looks up the first 40 public addresses. Omits reserved addresses and invalid texts. Never throws: an address
   * without an answer is pending.
   */
  async namesOf(texts: readonly string[]): Promise<ReverseNames> {
    const asked = this.#publicAddresses(texts);
    const first = asked.slice(0, MAX_ADDRESSES);
    const unknown = new Set(first.map(({ ip }) => ip).filter((ip) => !this.#names.has(ip)));
    // Recently failed addresses go last. Otherwise six of them would block all others.
    const inTurn = [...unknown].sort((a, b) => Number(this.#failed.has(a)) - Number(this.#failed.has(b)));
    const lookups = inTurn.slice(0, MAX_LOOKUPS).map((ip) => this.#lookUp(ip));
    await before(deadlineIn(this.#waitMs), Promise.all(lookups), () => undefined);
    const resolved: Record<string, string> = {};
    const pending: string[] = [];
    for (const [i, { text, ip }] of asked.entries()) {
      const name = i < MAX_ADDRESSES ? this.#names.get(ip) : undefined;
      if (name === undefined) pending.push(text);
      else resolved[text] = name;
    }
    return { resolved, pending };
  }

  /** Returns the public addresses in input order, without duplicate texts. */
  #publicAddresses(texts: readonly string[]): { text: string; ip: string }[] {
    return [...new Set(texts)].flatMap((text) => {
      const address = parseTargetAddress(text);
      if (address === undefined || this.#reserved.has(address.ip)) return [];
      return [{ text, ip: address.ip }];
    });
  }

  /** Resolves when the lookup has finished, which may be after its caller stopped waiting. */
  #lookUp(ip: string): Promise<void> {
    const running = this.#inFlight.get(ip);
    if (running) return running;
    const asked = this.#ask(ip).finally(() => this.#inFlight.delete(ip));
    this.#inFlight.set(ip, asked);
    return asked;
  }

  async #ask(ip: string): Promise<void> {
    try {
      const reply = await this.#dns.query(reverseNameOf(ip), 'PTR', deadlineIn(LOOKUP_MS));
      const { name, seconds } = hostNameIn(reply);
      this.#names.set(ip, name, { ttl: Math.max(seconds, MIN_SECONDS) * 1000 });
    } catch (error) {
      // The address stays pending.
      if (!(error instanceof UpstreamError)) throw error;
      this.#failed.set(ip, true);
    }
  }
}

const MAX_ADDRESSES = 40;
const MAX_LOOKUPS = 6;
const LOOKUP_MS = 10_000;
const FAILED_MS = 30_000;
const MIN_SECONDS = 60;
const MAX_SECONDS = 3600;
const MAX_NEGATIVE_SECONDS = 300;

/** Returns the first PTR name, possibly behind CNAMEs (RFC 2317), and how long to cache it. */
function hostNameIn({ records, negativeTtl = 0 }: DnsReply): { name: string; seconds: number } {
  // Some zones use the root as a placeholder for "no name".
  const pointer = records.find(({ type, value }) => type === 'PTR' && value !== '.');
  if (pointer === undefined) return { name: '', seconds: Math.min(negativeTtl, MAX_NEGATIVE_SECONDS) };
  return { name: pointer.value, seconds: Math.min(MAX_SECONDS, ...records.map(({ ttl }) => ttl)) };
}
