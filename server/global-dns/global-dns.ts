import type { DohResolver, Upstreams } from '../config.js';
import type { Deadline } from '../deadline.js';
import { decodeResponse, encodeQuery, type Message, type Query } from '../dns/message.js';
import { UpstreamError } from '../upstream-error.js';
import type { HttpClient } from '../egress/http-client.js';
import { CircuitBreaker, type BreakerSettings, type BreakerState } from './circuit-breaker.js';
import { exchangeOverHttps } from './doh-exchange.js';
import { EdgeWorkerClient, ResolverSilentError, type PointOfPresence } from './edge-worker-client.js';

/** What a resolver said, and who asked it: the worker from where it ran, or this server. */
export type GlobalReply = Pick<Message, 'rcode' | 'records' | 'clientSubnetScope'> &
  ({ readonly source: 'worker'; readonly place: PointOfPresence } | { readonly source: 'doh' });

/** What a resolver is asked. */
export interface DohQuestion {
  /** ASCII, lower case, no trailing dot. */
  readonly name: string;
  readonly type: string;
  /** CIDR that the client is said to be in; without it none is sent on, not ours either. */
  readonly subnet: string | undefined;
}

/** What it asks, and with what. */
export interface GlobalDnsParts {
  readonly http: Pick<HttpClient, 'request'>;
  readonly upstreams: Pick<Upstreams, 'dohResolvers' | 'dnsWorker'>;
  /** How breakers are set, where not as below. */
  readonly breaker?: Partial<BreakerSettings>;
}

/** Asks public resolvers over HTTPS, through the edge worker where there is one (ruling 30). */
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
   * Asks one of `resolvers`, and never another in its place. Any rcode comes back; UpstreamError is thrown for what is
   * no answer.
   */
  async ask(resolver: DohResolver, question: DohQuestion, deadline: Deadline): Promise<GlobalReply> {
    const { name, type, subnet = NO_SUBNET } = question;
    // The same id for everybody lets caches on the way work (RFC 8484 §4.1).
    const query: Query = { id: 0, name, type, edns: true, clientSubnet: subnet };
    const message = encodeQuery(query);
    try {
      const reply = await this.#askWorker(resolver, message, deadline);
      if (reply !== undefined)
        return { source: 'worker', place: reply.place, ...readWhole(reply.message, query) };
    } catch (error) {
      // Whatever the worker fails for: the resolver may still answer us.
      if (!(error instanceof UpstreamError)) throw error;
    }
    const { body } = await this.#breakers
      .get(resolver)!
      .run(() => exchangeOverHttps(this.#http, resolver, { message, deadline }));
    // What a message says is chosen by who owns the name: it must not close a resolver to everybody.
    return { source: 'doh', ...readWhole(body, query) };
  }

  /** By name of the server; those of resolvers, and that of the worker where there is one. */
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

/** "Send none" (RFC 7871 §7.1.2). */
const NO_SUBNET = '0.0.0.0/0';

function readWhole(bytes: Buffer, query: Query): Message {
  const message = decodeResponse(bytes, query);
  if (message.isTruncated) throw new UpstreamError('malformed', 'a message over HTTPS is truncated');
  return message;
}

const BREAKER: BreakerSettings = { failures: 5, restMs: 10_000, now: () => performance.now() };
