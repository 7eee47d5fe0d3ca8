import { deadlineIn, leftOf, type Deadline } from '../deadline.js';
import { UpstreamError } from '../upstream-error.js';
import { Connections } from './connections.js';
import type { EgressGuard } from './egress-guard.js';
import { BrokenConnection, exchange } from './exchange.js';
import type { HttpClient, HttpReply, HttpRequest } from './http-client.js';
import type { PublicHosts } from './public-hosts.js';
import { firstHop, nextHop, type Hop } from './redirects.js';

export interface HttpClientParts {
  readonly hosts: PublicHosts;
  readonly guard: EgressGuard;
  /** PEM. */
  readonly extraAuthorities?: string | undefined;
}

/** The HttpClient over undici: connections are its own, kept open for a while by origin and address. */
export class PublicHttpClient implements HttpClient {
  readonly #hosts: PublicHosts;
  readonly #guard: EgressGuard;
  readonly #connections: Connections;

  constructor({ hosts, guard, extraAuthorities }: HttpClientParts) {
    this.#hosts = hosts;
    this.#guard = guard;
    this.#connections = new Connections(extraAuthorities);
  }

  async request(request: HttpRequest): Promise<HttpReply> {
    let hop = firstHop(request);
    for (let left = request.maxRedirects; ; left--) {
      const fallback = hop.url === request.url ? (request.fallbackAddresses ?? []) : [];
      const reply = await this.#ask(hop, request, fallback);
      if (request.maxRedirects === 0) return reply;
      const next = nextHop(hop, { status: reply.status, location: reply.headers.location }, request);
      if (next === undefined) return reply;
      if (left === 0) throw new UpstreamError('malformed', `${request.url.host} redirects again and again`);
      hop = next;
    }
  }

  close(): Promise<void> {
    return this.#connections.close();
  }

  /** One address after the other, while they cannot be connected to and time is left. */
  async #ask(hop: Hop, request: HttpRequest, fallback: readonly string[]): Promise<HttpReply> {
    let failure: UpstreamError | undefined;
    for (const address of (await this.#addressesOf(hop, request.deadline, fallback)).slice(
      0,
      MAX_ADDRESSES,
    )) {
      if (leftOf(request.deadline) === 0) break;
      try {
        return await this.#askAt(address, hop, request);
      } catch (error) {
        if (!(error instanceof UpstreamError) || !isWorthAnother(error)) throw error;
        failure = error;
      }
    }
    throw failure ?? new UpstreamError('timeout', `${hop.url.host} was not asked in time`);
  }

  /** All that is asked here changes nothing, so what a broken connection swallowed is sent again, once. */
  async #askAt(address: string, hop: Hop, request: HttpRequest): Promise<HttpReply> {
    const { deadline } = request;
    const connection = await this.#connections.take(hop.url, address, deadline);
    const mayBeStale = connection.isUsed;
    try {
      return await exchange(connection, hop, request);
    } catch (error) {
      if (!mayBeStale || !(error instanceof BrokenConnection)) throw error;
      return await exchange(await this.#connections.take(hop.url, address, deadline), hop, request);
    }
  }

  async #addressesOf(
    { target }: Hop,
    deadline: Deadline,
    fallback: readonly string[],
  ): Promise<readonly string[]> {
    const allowed = fallback.filter((ip) => this.#guard.allows(ip));
    if (allowed.length === 0) return await this.#hosts.require(target, deadline);
    try {
      const found = await this.#hosts.find(target, deadlineIn(FALLBACK_AFTER_MS, deadline));
      if (found.kind === 'addresses') return found.ips;
    } catch (error) {
      if (!(error instanceof UpstreamError)) throw error;
    }
    return allowed;
  }
}

/** More would only take the time of those behind. */
const MAX_ADDRESSES = 4;
/** How long name servers are waited for where we know the addresses ourselves. */
const FALLBACK_AFTER_MS = 1000;

function isWorthAnother({ reason }: UpstreamError): boolean {
  return reason === 'unreachable' || reason === 'timeout';
}
