import { ABSENT } from '../table/zip.js';
import type { Decisions } from './decisions.js';
import { holderName } from './holder-name.js';
import type { NamedHits } from './named-hits.js';
import type { Origin } from './service.js';
import type { Texts } from './texts.js';

/** What is known of proxies, and the texts that it is told by. */
export interface ProxyWords {
  readonly decisions: Decisions;
  readonly named: NamedHits;
  readonly texts: Texts;
}

/** Whose a proxy is: whom a list names for the address, else where it has a type the AS that announces it. */
export class ProxyHolders {
  readonly #decisions: Decisions;
  readonly #named: NamedHits;
  /** By id of the origin. */
  readonly #names: Int32Array;
  readonly #domains: Int32Array;

  constructor(origins: readonly Origin[], { decisions, named, texts }: ProxyWords) {
    this.#decisions = decisions;
    this.#named = named;
    this.#names = Int32Array.from(origins, (origin) => texts.numberOf(holderName(origin)));
    this.#domains = Int32Array.from(origins, ({ domain }) => texts.numberOf(domain));
  }

  /** The number of the text; ABSENT where nobody is known, and for what has no type. */
  ispOf(decision: number, name: number, origin: number): number {
    return this.#holderOf(decision, this.#named.ispOf(name), this.#names[origin]);
  }

  domainOf(decision: number, name: number, origin: number): number {
    return this.#holderOf(decision, this.#named.domainOf(name), this.#domains[origin]);
  }

  /** What a list says, else what falls to the AS; an origin that is ABSENT has none. */
  #holderOf(decision: number, listed: number, ofAs = ABSENT): number {
    if (this.#decisions.deciderOf(decision) === undefined) return ABSENT;
    return listed === ABSENT ? ofAs : listed;
  }
}
