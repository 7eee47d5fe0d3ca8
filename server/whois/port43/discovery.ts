import { LRUCache } from 'lru-cache';
import { deadlineIn, leftOf, type Deadline } from '../../deadline.js';
import { UpstreamError } from '../../upstream-error.js';
import type { WhoisTarget } from '../whois-record.js';
import { parseAddressRange } from './address-range.js';
import { KNOWN_REGISTRY, knownServerOf } from './known-servers.js';
import { parseWhoisHost } from './referral.js';
import { splitFields, type Field } from './split-fields.js';

/** Asks a server for the text of its answer. Throws UpstreamError. */
export type AskServer = (server: string, query: string, deadline: Deadline) => Promise<string>;

export interface DiscoveryOptions {
  /** IANA's server, which refers to all others. */
  readonly root: string;
  readonly port: number;
  readonly ask: AskServer;
}

/** Finds the server that is responsible for a top-level domain, an address or an AS; IANA is asked once a week for it. */
export class Discovery {
  readonly #options: DiscoveryOptions;
  readonly #servers = new LRUCache<string, Found>({ max: MAX_KEPT });

  constructor(options: DiscoveryOptions) {
    this.#options = options;
  }

  /** Absent when there is none. Throws UpstreamError when IANA does not answer and no server is known without it. */
  async serverFor(target: WhoisTarget, deadline: Deadline): Promise<string | undefined> {
    const key = keyOf(target);
    const kept = this.#servers.get(key);
    if (kept) return kept.server ?? knownWithout(target);
    try {
      const found = await this.#askRoot(target, deadlineIn(leftOf(deadline) * SHARE_OF_TIME, deadline));
      this.#servers.set(key, found, { ttl: found.server === undefined ? ABSENT_MS : KEPT_MS });
      return found.server ?? knownWithout(target);
    } catch (error) {
      const known = target.kind === 'domain' ? knownServerOf(target.name) : KNOWN_REGISTRY;
      if (error instanceof UpstreamError && known !== undefined) return known;
      throw error;
    }
  }

  async #askRoot(target: WhoisTarget, deadline: Deadline): Promise<Found> {
    const { root, port, ask } = this.#options;
    const text = await ask(root, questionOf(target), deadline);
    const fields = splitFields(text);
    if (!fields.some(({ label }) => ROOT_KEYS.includes(label)) && !NO_OBJECTS.test(text))
      throw new UpstreamError('malformed', `${root} answers with no record`);
    return { server: serverIn(fields, port) };
  }
}

interface Found {
  readonly server: string | undefined;
}

const MAX_KEPT = 8192;
const KEPT_MS = 7 * 24 * 3600_000;
const ABSENT_MS = 3600_000;
/** The server itself must have the rest. */
const SHARE_OF_TIME = 0.4;

const ROOT_KEYS = ['domain', 'inetnum', 'inet6num', 'as-block', 'aut-num', 'refer', 'whois'];
const NO_OBJECTS = /returned 0 objects/i;

/** The server of a domain whose top-level domain has none at IANA. */
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

function questionOf(target: WhoisTarget): string {
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

/** IANA gives away IPv4 in /8, and IPv6 in /23 at the least; AS numbers in blocks that follow no rule. */
function keyOf(target: WhoisTarget): string {
  if (target.kind !== 'ip') return questionOf(target);
  const start = parseAddressRange(target.ip)?.start ?? 0n;
  return target.version === 4 ? `4:${start >> 24n}` : `6:${start >> 105n}`;
}
