import { ABSENT } from '../table/zip.js';
import type { Decisions } from './decisions.js';
import { holderName } from './holder-name.js';
import type { Origin } from './service.js';
import type { Texts } from './texts.js';

/** Whose a proxy is: whom a list names for the address, else where it has a type the AS that announces it. */
export class ProxyHolders {
  readonly #decisions: Decisions;
  /** By id of the origin. */
  readonly #names: Int32Array;
  readonly #domains: Int32Array;

  constructor(origins: readonly Origin[], decisions: Decisions, texts: Texts) {
    this.#decisions = decisions;
    this.#names = Int32Array.from(origins, (origin) => texts.numberOf(holderName(origin)));
    this.#domains = Int32Array.from(origins, ({ domain }) => texts.numberOf(domain));
  }

  /** The number of the text; ABSENT where nobody is known. */
  ispOf(decision: number, origin: number): number {
    const listed = this.#decisions.ispOf(decision);
    return listed === ABSENT && this.#falls(decision, origin) ? this.#names[origin]! : listed;
  }

  domainOf(decision: number, origin: number): number {
    const listed = this.#decisions.domainOf(decision);
    return listed === ABSENT && this.#falls(decision, origin) ? this.#domains[origin]! : listed;
  }

  /** Whether what no list says falls to the AS. */
  #falls(decision: number, origin: number): boolean {
    return origin !== ABSENT && this.#decisions.deciderOf(decision) !== undefined;
  }
}
