import { ConcurrencyLimit } from '../concurrency-limit.js';
import { deadlineIn, leftOf, type Deadline } from '../deadline.js';
import { UpstreamError } from '../upstream-error.js';
import { CaseAsker, type Question } from './case-asker.js';
import type { DnsReply } from './dns-client.js';
import type { Message, Query } from './message.js';
import { parseNameServer, systemNameServers, type NameServer } from './name-server.js';

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
  readonly #budgetMs: number;
  readonly #asker: CaseAsker;

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
    this.#budgetMs = budgetMs;
    this.#asker = new CaseAsker(new ConcurrencyLimit(sockets, 'too many DNS queries at once'), tryMs);
  }

  /** Implements `DnsClient.query`. A silent server is retried in lower case, a failing one is not. */
  async query(name: string, type: string, outer: Deadline): Promise<DnsReply> {
    const deadline = deadlineIn(this.#budgetMs, outer);
    const turns: Turn[] = this.#servers.map((server) => ({ server, isRetry: false }));
    let failure = new UpstreamError('unreachable', 'no name server is configured');
    for (let turn = turns.shift(); turn !== undefined; turn = turns.shift()) {
      const { server } = turn;
      try {
        const { rcode, records, negativeTtl } = await this.#attempt(turn, { name, type }, deadline);
        return { rcode, records, negativeTtl, server: this.#disclosed.has(server) ? server.text : undefined };
      } catch (error) {
        if (!(error instanceof UpstreamError)) throw error;
        failure = error;
        if (leftOf(deadline) === 0) break;
        if (error.reason === 'timeout') turns.push({ server, isRetry: true });
      }
    }
    throw failure;
  }

  /** Makes one attempt. Throws UpstreamError, also for SERVFAIL and REFUSED. */
  async #attempt(turn: Turn, question: Pick<Query, 'name' | 'type'>, deadline: Deadline): Promise<Message> {
    let message = await this.#exchange(turn, { ...question, edns: true }, deadline);
    // RFC 6891 §7: some servers do not support EDNS.
    if (NO_EDNS_RCODES.has(message.rcode)) {
      message = await this.#exchange(turn, { ...question, edns: false }, deadline);
    }
    if (message.rcode === 'NOERROR' || message.rcode === 'NXDOMAIN') return message;
    throw new UpstreamError(
      'failed',
      `${turn.server.text} returned ${message.rcode} for ${question.name} ${question.type}`,
    );
  }

  async #exchange({ server, isRetry }: Turn, question: Question, outer: Deadline): Promise<Message> {
    const message = await this.#asker.ask(server, question, { deadline: outer, isRetry });
    if (!message.isTruncated) return message;
    const whole = await this.#asker.overTcp(server, question, outer);
    if (whole.isTruncated)
      throw new UpstreamError('malformed', `${server.text} sent a truncated message over TCP`);
    return whole;
  }
}

/** A server to query next. */
interface Turn {
  readonly server: NameServer;
  /** Whether it was silent before. */
  readonly isRetry: boolean;
}

const NO_EDNS_RCODES: ReadonlySet<string> = new Set(['FORMERR', 'NOTIMP', 'BADVERS']);
