import type { NodeCounts } from './node-counts.js';

/** Number of bad messages that end a connection. */
const MAX_BAD_MESSAGES = 10;

/** Where the faults of a node are recorded. */
export interface NodeFaultsParts {
  readonly counts: NodeCounts;
  readonly log: (line: string) => void;
}

/** Records the faults of one connection. Counts each, and logs only the first of each kind. */
export class NodeFaults {
  #badMessages = 0;
  #wasInvalidLogged = false;
  #hasSaidGoodbye = false;

  /** `onTooMany` is called when the connection must end. */
  constructor(
    private readonly node: string,
    private readonly parts: NodeFaultsParts,
    private readonly onTooMany: (why: string) => void,
  ) {}

  /** Records a message that is not in the protocol or that the server did not ask for. */
  badMessage(what: string): void {
    this.parts.counts.add('bad_message');
    if (this.#badMessages === 0) this.parts.log(`node ${this.node}: invalid message: ${what}`);
    if (++this.#badMessages === MAX_BAD_MESSAGES) this.onTooMany(`${MAX_BAD_MESSAGES} invalid messages`);
  }

  /** Records a measurement that is not passed on. */
  invalidAnswer(why: string): void {
    this.parts.counts.add('invalid_answer');
    if (!this.#wasInvalidLogged) this.parts.log(`node ${this.node}: invalid answer: ${why}`);
    this.#wasInvalidLogged = true;
  }

  /** Records a goodbye. Returns false for a second one, which ends the connection. */
  goodbye(reason: string): boolean {
    if (this.#hasSaidGoodbye) {
      this.parts.counts.add('bad_message');
      this.onTooMany('second goodbye');
      return false;
    }
    this.#hasSaidGoodbye = true;
    this.parts.log(`node ${this.node} is leaving: ${reason}`);
    return true;
  }
}
