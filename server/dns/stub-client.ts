import { randomInt } from 'node:crypto';
import { ConcurrencyLimit } from '../concurrency-limit.js';
import { deadlineIn, leftOf, type Deadline } from '../deadline.js';
import { UpstreamError } from '../upstream-error.js';
import type { DnsReply } from './dns-client.js';
import type { Message, Query } from './message.js';
import { parseNameServer, systemNameServers, type NameServer } from './name-server.js';
import { queryOverTcp } from './tcp-exchange.js';
import { queryOverUdp } from './udp-exchange.js';

/** Options of a stub client. */
export interface StubOptions {
  /** `address`, `address:port` or `[address]:port`. Empty means the system's servers. Only the first two are used. */
  readonly servers: readonly string[];
  /** Whether replies may name a server. Replies should not name servers of a private network. Default: always. */
  readonly mayDisclose?: (address: string) => boolean;
  /** Time limit per attempt; default 2 s. */
  readonly tryMs?: number;
  /** Time limit per query; default 5 s. */
  readonly budgetMs?: number;
  /** Limit of open sockets; default 512. */
  readonly sockets?: number;
}

/** Queries name servers in turn, without a cache: UDP first, then TCP for truncated responses (RFC 1035 §5.3.1). */
export class StubClient {
  readonly #servers: readonly NameServer[];
  /** The servers that replies may name. Never a server of the system's configuration. */
  readonly #disclosed: ReadonlySet<NameServer>;
  readonly #tryMs: number;
  readonly #budgetMs: number;
  readonly #sockets: ConcurrencyLimit;

  /** Asserts that every server is an address. */
  constructor({
    servers,
    mayDisclose = () => true,
    tryMs = 2000,
    budgetMs = 5000,
    sockets = 512,
  }: StubOptions) {
    const isSystem = servers.length === 0;
    this.#servers = (isSystem ? systemNameServers() : servers.map(parseNameServer)).slice(0, 2);
    this.#disclosed = new Set(isSystem ? [] : this.#servers.filter(({ address }) => mayDisclose(address)));
    this.#tryMs = tryMs;
    this.#budgetMs = budgetMs;
    this.#sockets = new ConcurrencyLimit(sockets, 'too many DNS queries at once');
  }

  /** Implements `DnsClient.query`. A silent server is retried, a failing one is not. */
  async query(name: string, type: string, outer: Deadline): Promise<DnsReply> {
    const deadline = deadlineIn(this.#budgetMs, outer);
    const turns = [...this.#servers];
    let failure = new UpstreamError('unreachable', 'no name server is configured');
    for (let server = turns.shift(); server !== undefined; server = turns.shift()) {
      try {
        const { rcode, records, negativeTtl } = await this.#attempt(server, { name, type }, deadline);
        return { rcode, records, negativeTtl, server: this.#disclosed.has(server) ? server.text : undefined };
      } catch (error) {
        if (!(error instanceof UpstreamError)) throw error;
        failure = error;
        if (leftOf(deadline) === 0) break;
        if (error.reason === 'timeout') turns.push(server);
      }
    }
    throw failure;
  }

  /** Makes one attempt. Throws UpstreamError, also for SERVFAIL and REFUSED. */
  async #attempt(
    server: NameServer,
    question: Pick<Query, 'name' | 'type'>,
    deadline: Deadline,
  ): Promise<Message> {
    let message = await this.#exchange(server, { ...question, id: randomInt(0x10000), edns: true }, deadline);
    // RFC 6891 §7: some servers do not support EDNS.
    if (NO_EDNS_RCODES.has(message.rcode)) {
      message = await this.#exchange(server, { ...question, id: randomInt(0x10000), edns: false }, deadline);
    }
    if (message.rcode === 'NOERROR' || message.rcode === 'NXDOMAIN') return message;
    throw new UpstreamError(
      'failed',
      `${server.text} returned ${message.rcode} for ${question.name} ${question.type}`,
    );
  }

  async #exchange(server: NameServer, query: Query, outer: Deadline): Promise<Message> {
    const message = await this.#sockets.run(outer, () =>
      queryOverUdp(server, query, deadlineIn(this.#tryMs, outer)),
    );
    if (!message.isTruncated) return message;
    const whole = await this.#sockets.run(outer, () =>
      queryOverTcp(server, query, deadlineIn(this.#tryMs, outer)),
    );
    if (whole.isTruncated)
      throw new UpstreamError('malformed', `${server.text} sent a truncated message over TCP`);
    return whole;
  }
}

const NO_EDNS_RCODES: ReadonlySet<string> = new Set(['FORMERR', 'NOTIMP', 'BADVERS']);
