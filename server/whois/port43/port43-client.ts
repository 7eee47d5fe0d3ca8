import { deadlineIn, type Deadline } from '../../deadline.js';
import type { PublicHosts } from '../../egress/public-hosts.js';
import { UpstreamError } from '../../upstream-error.js';
import type { PerHostLimit } from '../per-host-limit.js';
import type { WhoisAnswer, WhoisTarget, WhoisClient } from '../whois-record.js';
import { Discovery } from './discovery.js';
import { decodeAnswer, mergeThin, readAnswer } from './read-answer.js';
import { referralIn } from './referral.js';
import { habitsOf, queryFor } from './server-habits.js';
import { splitFields } from './split-fields.js';
import { askWhoisServer } from './whois-connection.js';

/** Settings of a whois client for port 43. */
export interface Port43Options {
  readonly hosts: Pick<PublicHosts, 'require'>;
  /** Host name of IANA's server, which refers to all others. */
  readonly root: string;
  /** 43, except in tests. */
  readonly port: number;
  /** Shared with the RDAP client, which may query the same hosts. */
  readonly limit: PerHostLimit;
  /** Time limit for a lookup; default 6 s (decision 25). */
  readonly budgetMs?: number;
  /** Time limit per connection attempt; default 3 s. */
  readonly connectMs?: number;
}

/** A target and the time limit of its lookup. */
interface Question {
  readonly target: WhoisTarget;
  readonly deadline: Deadline;
}

/** Looks up targets by whois on port 43 (RFC 3912): at the server IANA names and the one it refers to. */
export class Port43Client implements WhoisClient {
  readonly #options: Required<Port43Options>;
  readonly #discovery: Discovery;

  constructor(options: Port43Options) {
    this.#options = { budgetMs: BUDGET_MS, connectMs: CONNECT_MS, ...options };
    const { root, port } = options;
    this.#discovery = new Discovery({ root, port, ask: (...question) => this.#textOf(...question) });
  }

  async ask(target: WhoisTarget, outer: Deadline): Promise<WhoisAnswer> {
    const deadline = deadlineIn(this.#options.budgetMs, outer);
    const question = { target, deadline };
    const server = await this.#discovery.serverFor(target, deadline);
    if (server === undefined) return { kind: 'no-server' };
    const text = await this.#textOf(server, queryFor(server, target), deadline);
    const next = referralIn(splitFields(text), target.kind, this.#options.port);
    if (next === undefined || next === server || next === this.#options.root)
      return this.#orEnclosing(server, readAnswer(server, text, target), question);
    // Only one referral is followed.
    return target.kind === 'domain'
      ? this.#withRegistrar(next, readAnswer(server, text, target), question)
      : this.#fromOtherRir(next, () => readAnswer(server, text, target), question);
  }

  /** Retries an absent prefix as a single address, for servers that only find prefixes as they were allocated. */
  async #orEnclosing(
    server: string,
    answer: WhoisAnswer,
    { target, deadline }: Question,
  ): Promise<WhoisAnswer> {
    if (answer.kind !== 'absent' || target.kind !== 'ip' || target.length === undefined) return answer;
    if (habitsOf(server).prefixIsExact !== true) return answer;
    const { ip, version } = target;
    const text = await this.#textOf(server, queryFor(server, { kind: 'ip', ip, version }), deadline);
    return readAnswer(server, text, target);
  }

  /** Completes a domain registry's answer from the registrar's. If the registrar fails, returns it unchanged. */
  async #withRegistrar(registrar: string, first: WhoisAnswer, question: Question): Promise<WhoisAnswer> {
    if (first.kind !== 'found') return first;
    const second = await this.#answerIfAny(registrar, question);
    if (second?.kind !== 'found') return first;
    return { kind: 'found', registration: mergeThin(first.registration, second.registration) };
  }

  /**
   * Returns the record of the RIR referred to, otherwise the first RIR's answer. Absence at the second one counts if
   * the first record only names it.
   */
  async #fromOtherRir(
    server: string,
    readFirst: () => WhoisAnswer,
    question: Question,
  ): Promise<WhoisAnswer> {
    const second = await this.#answerIfAny(server, question);
    if (second?.kind === 'found') return second;
    const first = readFirst();
    const isNamed = first.kind === 'found' && first.registration.registrar === habitsOf(server).rir;
    return second !== undefined && isNamed ? second : first;
  }

  /** Queries a server. Returns undefined if it fails. */
  async #answerIfAny(server: string, { target, deadline }: Question): Promise<WhoisAnswer | undefined> {
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
