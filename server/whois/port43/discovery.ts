import { LRUCache } from 'lru-cache';
import { deadlineIn, leftOf, type Deadline } from '../../deadline.js';
import { UpstreamError } from '../../upstream-error.js';
import type { WhoisTarget } from '../whois-record.js';
import { parseAddressRange } from './address-range.js';
import { FALLBACK_NETWORK_SERVER, knownServerOf } from './known-servers.js';
import { parseWhoisHost } from './referral.js';
import { splitFields, type Field } from './split-fields.js';

/** Returns a server's reply to a query as text. Throws UpstreamError. */
export type AskServer = (server: string, query: string, deadline: Deadline) => Promise<string>;

/** How to reach the root server. */
export interface DiscoveryOptions {
  /** Host name of IANA's server, which refers to all others. */
  readonly root: string;
  readonly port: number;
  readonly ask: AskServer;
}

/** Finds the whois server for a top-level domain, address or AS. Asks IANA and caches the result for a week. */
export class Discovery {
  readonly #options: DiscoveryOptions;
  readonly #servers = new LRUCache<string, Found>({ max: MAX_CACHED });

  constructor(options: DiscoveryOptions) {
    this.#options = options;
  }

  /** Returns the host name. Absent if there is none. Throws UpstreamError if IANA fails and no server is known. */
  async serverFor(target: WhoisTarget, deadline: Deadline): Promise<string | undefined> {
    const key = keyOf(target);
    const cached = this.#servers.get(key);
    if (cached) return cached.server ?? knownWithout(target);
    try {
      const found = await this.#askRoot(target, deadlineIn(leftOf(deadline) * SHARE_OF_TIME, deadline));
      this.#servers.set(key, found, { ttl: found.server === undefined ? ABSENT_MS : CACHED_MS });
      return found.server ?? knownWithout(target);
    } catch (error) {
      const known = target.kind === 'domain' ? knownServerOf(target.name) : FALLBACK_NETWORK_SERVER;
      if (error instanceof UpstreamError && known !== undefined) return known;
      throw error;
    }
  }

  async #askRoot(target: WhoisTarget, deadline: Deadline): Promise<Found> {
    const { root, port, ask } = this.#options;
    const text = await ask(root, rootQueryFor(target), deadline);
    const fields = splitFields(text);
    if (!fields.some(({ label }) => ROOT_KEYS.includes(label)) && !NO_OBJECTS.test(text))
      throw new UpstreamError('malformed', `${root} returned no record`);
    return { server: serverIn(fields, port) };
  }
}

interface Found {
  readonly server: string | undefined;
}

const MAX_CACHED = 8192;
const CACHED_MS = 7 * 24 * 3600_000;
const ABSENT_MS = 3600_000;
/** Share of the time limit for IANA. The server itself needs the rest. */
const SHARE_OF_TIME = 0.4;

const ROOT_KEYS = ['domain', 'inetnum', 'inet6num', 'as-block', 'aut-num', 'refer', 'whois'];
const NO_OBJECTS = /returned 0 objects/i;

/** Returns the built-in server for a domain whose top-level domain has none at IANA. */
function knownWithout(target: WhoisTarget): string | undefined {
  return target.kind === 'domain' ? knownServerOf(target.name) : undefined;
}

function serverIn(fields: readonly Field[], port: number): string | undefined {
  for (const wanted of ['refer', 'whois']) {
    const field = fields.find(({ label }) => label === wanted);
    if (field) return parseWhoisHost(field.value, port);
  }
  return undefined;
}

function rootQueryFor(target: WhoisTarget): string {
  switch (target.kind) {
    case 'domain':
      return topLevelOf(target.name);
    case 'asn':
      return `AS${target.asn}`;
    case 'ip':
      return target.ip;
  }
}

function topLevelOf(name: string): string {
  return name.slice(name.lastIndexOf('.') + 1);
}

/** Returns the cache key. IANA allocates IPv4 in /8 and IPv6 in at least /23. AS blocks are irregular, so per AS. */
function keyOf(target: WhoisTarget): string {
  if (target.kind !== 'ip') return rootQueryFor(target);
  const start = parseAddressRange(target.ip)?.start ?? 0n;
  return target.version === 4 ? `4:${start >> 24n}` : `6:${start >> 105n}`;
}
