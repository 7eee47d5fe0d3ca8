import { randomInt } from 'node:crypto';
import type { ConcurrencyLimit } from '../concurrency-limit.js';
import { deadlineIn, type Deadline } from '../deadline.js';
import { UpstreamError } from '../upstream-error.js';
import type { Message, Query } from './message.js';
import { CaseMemory, mixedCase } from './mixed-case.js';
import type { NameServer } from './name-server.js';
import { queryOverTcp } from './tcp-exchange.js';
import { OtherCase, queryOverUdp } from './udp-exchange.js';

/** A query without what is random in it. */
export type Question = Omit<Query, 'id' | 'spelling'>;

/**
 * Asks servers with random ids and ports, and names in mixed case, which a forged response must repeat. Servers that
 * do not keep the case are asked in lower case.
 */
export class CaseAsker {
  readonly #cases = new CaseMemory();

  constructor(
    private readonly sockets: ConcurrencyLimit,
    /** Time limit per exchange. */
    private readonly tryMs: number,
  ) {}

  /** Asks over UDP. `isRetry`: the server was silent before. The response may be truncated. Throws UpstreamError. */
  async ask(
    server: NameServer,
    question: Question,
    { deadline, isRetry }: { readonly deadline: Deadline; readonly isRetry: boolean },
  ): Promise<Message> {
    if (!this.#cases.mayMix(server)) return await this.#overUdp(server, question, deadline);
    if (isRetry) {
      const message = await this.#overUdp(server, question, deadline);
      this.#cases.ignored(server);
      return message;
    }
    return (
      (await this.#mixed(server, question, deadline)) ?? (await this.#verified(server, question, deadline))
    );
  }

  /** Asks over TCP. Throws UpstreamError. */
  overTcp(server: NameServer, question: Omit<Query, 'id'>, deadline: Deadline): Promise<Message> {
    return this.sockets.run(deadline, () =>
      queryOverTcp(server, { ...question, id: randomInt(0x10000) }, deadlineIn(this.tryMs, deadline)),
    );
  }

  /** Asks over UDP in mixed case. Returns undefined if the case of the response differs. */
  async #mixed(server: NameServer, question: Question, deadline: Deadline): Promise<Message | undefined> {
    try {
      const message = await this.#overUdp(server, spelled(question), deadline);
      this.#cases.kept(server);
      return message;
    } catch (error) {
      if (error instanceof OtherCase) return undefined;
      throw error;
    }
  }

  /**
   * Asks again after a response in another case. TCP shows whether the server changed the case, because a response
   * cannot be forged from elsewhere. Without TCP, a second response in another case, to another id and port, counts.
   */
  async #verified(server: NameServer, question: Question, deadline: Deadline): Promise<Message> {
    try {
      const message = await this.overTcp(server, spelled(question), deadline);
      if (!message.isSpelled) this.#cases.folded(server);
      return message;
    } catch (error) {
      if (!(error instanceof UpstreamError)) throw error;
    }
    const message = await this.#mixed(server, question, deadline);
    if (message !== undefined) return message;
    this.#cases.folded(server);
    return await this.#overUdp(server, question, deadline);
  }

  #overUdp(server: NameServer, question: Omit<Query, 'id'>, deadline: Deadline): Promise<Message> {
    return this.sockets.run(deadline, () =>
      queryOverUdp(server, { ...question, id: randomInt(0x10000) }, deadlineIn(this.tryMs, deadline)),
    );
  }
}

function spelled(question: Question): Omit<Query, 'id'> {
  return { ...question, spelling: mixedCase(question.name) };
}
