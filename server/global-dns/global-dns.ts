import type { DohResolver, Upstreams } from '../config.js';
import type { Deadline } from '../deadline.js';
import { decodeResponse, encodeQuery, type Message, type Query } from '../dns/message.js';
import { UpstreamError } from '../upstream-error.js';
import type { HttpClient } from '../egress/http-client.js';
import { CircuitBreaker, type BreakerSettings, type BreakerState } from './circuit-breaker.js';
import { exchangeOverHttps } from './doh-exchange.js';
import { EdgeWorkerClient, ResolverSilentError, type PointOfPresence } from './edge-worker-client.js';

/** A resolver's reply, and who queried it: the worker from its own location, or this server. */
export type GlobalReply = Pick<Message, 'rcode' | 'records' | 'clientSubnetScope'> &
  ({ readonly source: 'worker'; readonly place: PointOfPresence } | { readonly source: 'doh' });

/** A question to a resolver. */
export interface DohQuestion {
  /** ASCII, lower case, no trailing dot. */
  readonly name: string;
  readonly type: string;
  /** CIDR sent as the client's subnet. When undefined, the resolver is asked to forward none, including ours. */
  readonly subnet: string | undefined;
}

/** What global DNS is built from. */
export interface GlobalDnsParts {
  readonly http: Pick<HttpClient, 'request'>;
  readonly upstreams: Pick<Upstreams, 'dohResolvers' | 'dnsWorker'>;
  /** Overrides of the breakers' default settings. */
  readonly breaker?: Partial<BreakerSettings>;
}

/** Queries public resolvers over HTTPS, through the edge worker if one is configured (decision 30). */
export class GlobalDns {
  /** By index, which is part of the API. */
  readonly resolvers: readonly DohResolver[];
  readonly #http: Pick<HttpClient, 'request'>;
  readonly #breakers: ReadonlyMap<DohResolver, CircuitBreaker>;
  readonly #worker: { readonly client: EdgeWorkerClient; readonly breaker: CircuitBreaker } | undefined;

  constructor({ http, upstreams: { dohResolvers, dnsWorker }, breaker }: GlobalDnsParts) {
    const newBreaker = (name: string): CircuitBreaker => new CircuitBreaker(name, { ...BREAKER, ...breaker });
    this.resolvers = dohResolvers;
    this.#http = http;
    this.#breakers = new Map(dohResolvers.map((resolver) => [resolver, newBreaker(resolver.name)]));
    this.#worker = dnsWorker && {
      client: new EdgeWorkerClient(http, dnsWorker),
      breaker: newBreaker('the edge worker'),
    };
  }

  /**
   * Queries one of `resolvers` and never substitutes another. Returns a reply with any rcode. Throws UpstreamError when
   * there is no valid reply.
   */
  async ask(resolver: DohResolver, question: DohQuestion, deadline: Deadline): Promise<GlobalReply> {
    const { name, type, subnet = NO_SUBNET } = question;
    // A constant id lets HTTP caches on the path work (RFC 8484 §4.1).
    const query: Query = { id: 0, name, type, edns: true, clientSubnet: subnet };
    const message = encodeQuery(query);
    try {
      const reply = await this.#askWorker(resolver, message, deadline);
      if (reply !== undefined)
        return { source: 'worker', place: reply.place, ...readWhole(reply.message, query) };
    } catch (error) {
      // The resolver may still answer this server directly, whatever failed at the worker.
      if (!(error instanceof UpstreamError)) throw error;
    }
    const { body } = await this.#breakers
      .get(resolver)!
      .run(() => exchangeOverHttps(this.#http, resolver, { message, deadline }));
    // Decoding stays outside the breaker: the owner of a name controls the message and must not open it for everyone.
    return { source: 'doh', ...readWhole(body, query) };
  }

  /** Returns breaker states by server name: one per resolver, plus the edge worker if configured. */
  breakerStates(): ReadonlyMap<string, BreakerState> {
    const states = [...this.#breakers].map(([{ name }, { state }]) => [name, state] as const);
    return new Map(this.#worker ? [...states, ['edge worker', this.#worker.breaker.state]] : states);
  }

  async #askWorker(resolver: DohResolver, message: Uint8Array, deadline: Deadline) {
    const worker = this.#worker;
    return await worker?.breaker.run(
      () => worker.client.exchange(resolver, message, deadline),
      (error) => !(error instanceof ResolverSilentError),
    );
  }
}

/** Asks the resolver to forward no subnet (RFC 7871 §7.1.2). */
const NO_SUBNET = '0.0.0.0/0';

function readWhole(bytes: Buffer, query: Query): Message {
  const message = decodeResponse(bytes, query);
  if (message.isTruncated) throw new UpstreamError('malformed', 'truncated DNS message over HTTPS');
  return message;
}

const BREAKER: BreakerSettings = { failures: 5, restMs: 10_000, now: () => performance.now() };
