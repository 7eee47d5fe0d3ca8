import { randomInt } from 'node:crypto';
import { ConcurrencyLimit } from '../concurrency-limit.js';
import { deadlineIn, leftOf, type Deadline } from '../deadline.js';
import { UpstreamError } from '../upstream-error.js';
import type { DnsReply } from './dns-client.js';
import type { Message, Query } from './message.js';
import { parseNameServer, systemNameServers, type NameServer } from './name-server.js';
import { askOverTcp } from './tcp-exchange.js';
import { askOverUdp } from './udp-exchange.js';

export interface StubOptions {
  /** `address`, `address:port` or `[address]:port`; the system's when empty. The first two are asked. */
  readonly servers: readonly string[];
  /** Whether callers may know that an address was asked; those of a private network need not. Any when absent. */
  readonly mayTell?: (address: string) => boolean;
  /** For one try at one server; 2 s. */
  readonly tryMs?: number;
  /** For a question in all; 5 s. */
  readonly budgetMs?: number;
  /** Sockets open at once; 512. */
  readonly sockets?: number;
}

/** Asks name servers, without a memory: UDP first, TCP for what does not fit, the servers in turn (RFC 1035 §5.3.1). */
export class StubClient {
  readonly #servers: readonly NameServer[];
  /** Those of which replies tell; the system's are not among them. */
  readonly #told: ReadonlySet<NameServer>;
  readonly #tryMs: number;
  readonly #budgetMs: number;
  readonly #sockets: ConcurrencyLimit;

  /** Throws for a server that is no address. */
  constructor({ servers, mayTell = () => true, tryMs = 2000, budgetMs = 5000, sockets = 512 }: StubOptions) {
    const isSystem = servers.length === 0;
    this.#servers = (isSystem ? systemNameServers() : servers.map(parseNameServer)).slice(0, 2);
    this.#told = new Set(isSystem ? [] : this.#servers.filter(({ address }) => mayTell(address)));
    this.#tryMs = tryMs;
    this.#budgetMs = budgetMs;
    this.#sockets = new ConcurrencyLimit(sockets, 'too many DNS queries at once');
  }

  /** As `DnsClient.query`. A server that failed is not asked again, one that was silent is. */
  async query(name: string, type: string, outer: Deadline): Promise<DnsReply> {
    const deadline = deadlineIn(this.#budgetMs, outer);
    const turns = [...this.#servers];
    let failure = new UpstreamError('unreachable', 'there is no name server to ask');
    for (let server = turns.shift(); server !== undefined; server = turns.shift()) {
      try {
        const { rcode, records, negativeTtl } = await this.#askOne(server, { name, type }, deadline);
        return { rcode, records, negativeTtl, server: this.#told.has(server) ? server.text : undefined };
      } catch (error) {
        if (!(error instanceof UpstreamError)) throw error;
        failure = error;
        if (leftOf(deadline) === 0) break;
        if (error.reason === 'timeout') turns.push(server);
      }
    }
    throw failure;
  }

  /** One try. Throws UpstreamError, for SERVFAIL and REFUSED too. */
  async #askOne(
    server: NameServer,
    question: Pick<Query, 'name' | 'type'>,
    deadline: Deadline,
  ): Promise<Message> {
    let message = await this.#exchange(server, { ...question, id: randomInt(0x10000), edns: true }, deadline);
    // RFC 6891 §7: there are servers that know nothing of it.
    if (DISLIKES_EDNS.has(message.rcode)) {
      message = await this.#exchange(server, { ...question, id: randomInt(0x10000), edns: false }, deadline);
    }
    if (message.rcode === 'NOERROR' || message.rcode === 'NXDOMAIN') return message;
    throw new UpstreamError(
      'failed',
      `${server.text} says ${message.rcode} of ${question.name} ${question.type}`,
    );
  }

  async #exchange(server: NameServer, query: Query, outer: Deadline): Promise<Message> {
    const message = await this.#sockets.run(outer, () =>
      askOverUdp(server, query, deadlineIn(this.#tryMs, outer)),
    );
    if (!message.isTruncated) return message;
    const whole = await this.#sockets.run(outer, () =>
      askOverTcp(server, query, deadlineIn(this.#tryMs, outer)),
    );
    if (whole.isTruncated) throw new UpstreamError('malformed', `${server.text} truncates over TCP`);
    return whole;
  }
}

const DISLIKES_EDNS: ReadonlySet<string> = new Set(['FORMERR', 'NOTIMP', 'BADVERS']);
