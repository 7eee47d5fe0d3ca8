import { deadlineIn, leftOf, type Deadline } from '../deadline.js';
import { UpstreamError } from '../upstream-error.js';
import { Connections } from './connections.js';
import type { EgressGuard } from './egress-guard.js';
import { BrokenConnection, exchange } from './exchange.js';
import type { HttpClient, HttpReply, HttpRequest } from './http-client.js';
import type { PublicHosts } from './public-hosts.js';
import { firstHop, nextHop, type Hop } from './redirects.js';

/** What the client is built from. */
export interface HttpClientParts {
  readonly hosts: PublicHosts;
  readonly guard: EgressGuard;
  /** Certificates in PEM that are trusted in addition. */
  readonly extraAuthorities?: string | undefined;
}

/** Implements HttpClient with undici over its own pool of connections. */
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
      const reply = await this.#requestHop(hop, request, fallback);
      if (request.maxRedirects === 0) return reply;
      const next = nextHop(hop, { status: reply.status, location: reply.headers.location }, request);
      if (next === undefined) return reply;
      if (left === 0)
        throw new UpstreamError(
          'malformed',
          `${request.url.host}: more than ${request.maxRedirects} redirects`,
        );
      hop = next;
    }
  }

  close(): Promise<void> {
    return this.#connections.close();
  }

  /** Tries the addresses in turn while connecting fails and time is left. */
  async #requestHop(hop: Hop, request: HttpRequest, fallback: readonly string[]): Promise<HttpReply> {
    let failure: UpstreamError | undefined;
    for (const address of (await this.#addressesOf(hop, request.deadline, fallback)).slice(
      0,
      MAX_ADDRESSES,
    )) {
      if (leftOf(request.deadline) === 0) break;
      try {
        return await this.#requestAt(address, hop, request);
      } catch (error) {
        if (!(error instanceof UpstreamError) || !mayTryNextAddress(error)) throw error;
        failure = error;
      }
    }
    throw failure ?? new UpstreamError('timeout', `${hop.url.host}: no time left for a request`);
  }

  /** Sends the request again once if a reused connection breaks. Requests are lookups, so repeating one is safe. */
  async #requestAt(address: string, hop: Hop, request: HttpRequest): Promise<HttpReply> {
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

/** Limit of addresses tried, so that dead ones do not use up the caller's time. */
const MAX_ADDRESSES = 4;
/** How long to wait for the name servers when fallback addresses exist. */
const FALLBACK_AFTER_MS = 1000;

function mayTryNextAddress({ reason }: UpstreamError): boolean {
  return reason === 'unreachable' || reason === 'timeout';
}
