import { deadlineIn, type Deadline } from '../../deadline.js';
import type { PublicHosts } from '../../egress/public-hosts.js';
import { UpstreamError } from '../../upstream-error.js';
import type { PerHostLimit } from '../per-host-limit.js';
import type { RegistryClient } from '../registry-client.js';
import type { WhoisAnswer, WhoisTarget } from '../whois-record.js';
import { decodeAnswer } from './decode-answer.js';
import { Discovery } from './discovery.js';
import { mergeThin, readAnswer } from './read-answer.js';
import { referralIn } from './referral.js';
import { habitsOf, queryFor } from './server-habits.js';
import { splitFields } from './split-fields.js';
import { askWhoisServer } from './whois-connection.js';

export interface Port43Options {
  readonly hosts: Pick<PublicHosts, 'require'>;
  /** IANA's server, which refers to all others: a host name. */
  readonly root: string;
  /** 43 but for tests. */
  readonly port: number;
  /** Shared with whoever else asks the same servers. */
  readonly limit: PerHostLimit;
  /** Of a whole question; 6 s when absent (ruling 25). */
  readonly budgetMs?: number;
  /** Of one attempt to connect; 3 s when absent. */
  readonly connectMs?: number;
}

/** Whois on port 43 (RFC 3912): the server that IANA names, and the one that it refers to. */
export class Port43Client implements RegistryClient {
  readonly #options: Required<Port43Options>;
  readonly #discovery: Discovery;

  constructor(options: Port43Options) {
    this.#options = { budgetMs: BUDGET_MS, connectMs: CONNECT_MS, ...options };
    const { root, port } = options;
    this.#discovery = new Discovery({ root, port, ask: (...question) => this.#textOf(...question) });
  }

  async ask(target: WhoisTarget, outer: Deadline): Promise<WhoisAnswer> {
    const deadline = deadlineIn(this.#options.budgetMs, outer);
    const server = await this.#discovery.serverFor(target, deadline);
    if (server === undefined) return { kind: 'no-registry' };
    const text = await this.#textOf(server, queryFor(server, target), deadline);
    const next = referralIn(splitFields(text), target.kind, this.#options.port);
    if (next === undefined || next === server || next === this.#options.root)
      return this.#orAround(server, readAnswer(server, text, target), target, deadline);
    // The second hop is the last one.
    if (target.kind !== 'domain')
      return this.#fromOther(next, () => readAnswer(server, text, target), target, deadline);
    return this.#withRegistrar(next, readAnswer(server, text, target), target, deadline);
  }

  /** Where a server knows prefixes only as they were given away: the network around a part of one. */
  async #orAround(
    server: string,
    answer: WhoisAnswer,
    target: WhoisTarget,
    deadline: Deadline,
  ): Promise<WhoisAnswer> {
    if (answer.kind !== 'absent' || target.kind !== 'ip' || target.length === undefined) return answer;
    if (habitsOf(server).prefixIsExact !== true) return answer;
    const { ip, version } = target;
    const text = await this.#textOf(server, queryFor(server, { kind: 'ip', ip, version }), deadline);
    return readAnswer(server, text, target);
  }

  /** What a registry says of a domain, with what its registrar adds; without it where that one fails. */
  async #withRegistrar(
    registrar: string,
    first: WhoisAnswer,
    target: WhoisTarget,
    deadline: Deadline,
  ): Promise<WhoisAnswer> {
    if (first.kind !== 'found') return first;
    const second = await this.#answerIfAny(registrar, target, deadline);
    if (second?.kind !== 'found') return first;
    return { kind: 'found', registration: mergeThin(first.registration, second.registration) };
  }

  /**
   * What the registry says that we were sent to; else what the first one had to say. Absence at the second counts where
   * the first one's record only names it.
   */
  async #fromOther(
    server: string,
    readFirst: () => WhoisAnswer,
    target: WhoisTarget,
    deadline: Deadline,
  ): Promise<WhoisAnswer> {
    const second = await this.#answerIfAny(server, target, deadline);
    if (second?.kind === 'found') return second;
    const first = readFirst();
    const isNamed = first.kind === 'found' && first.registration.registrar === habitsOf(server).registry;
    return second !== undefined && isNamed ? second : first;
  }

  /** Absent where the server gives no answer. */
  async #answerIfAny(
    server: string,
    target: WhoisTarget,
    deadline: Deadline,
  ): Promise<WhoisAnswer | undefined> {
    try {
      return readAnswer(server, await this.#textOf(server, queryFor(server, target), deadline), target);
    } catch (error) {
      if (error instanceof UpstreamError) return undefined;
      throw error;
    }
  }

  #textOf(server: string, query: string, deadline: Deadline): Promise<string> {
    const { hosts, port, limit, connectMs } = this.#options;
    return limit.run(server, deadline, async () => {
      const ips = await hosts.require({ kind: 'host', name: server }, deadline);
      const bytes = await askWhoisServer({ ips, port, query, deadline, connectMs });
      return decodeAnswer(bytes, habitsOf(server).charset);
    });
  }
}

const BUDGET_MS = 6000;
const CONNECT_MS = 3000;
