import { commonBits, compareAddresses, newAddress, type Address } from '../net/address.js';
import { NetworkCursor } from '../mmdb/network-cursor.js';
import type { Dataset } from './dataset.js';
import { matcherOf, type Condition } from './where.js';

/** Networks in address order. The fields describe the current one; `next` changes them in place. */
export interface Networks {
  readonly address: Address;
  /** In bits, 0..128. */
  readonly length: number;
  /** The offset of the record in the data section of the exported dataset. */
  readonly offset: number;
  /** Moves to the next network. Returns false after the last. */
  next(): boolean;
}

/** A condition with the dataset that decides it. */
export interface Filter {
  readonly dataset: Dataset;
  readonly condition: Condition;
}

/**
 * Returns the networks of a dataset that meet all conditions. A condition on another dataset divides networks where that
 * dataset does. `visited` receives the share of the dataset that was read, 0..1, now and then.
 */
export function networksOf(
  dataset: Dataset,
  filters: readonly Filter[] = [],
  visited: (share: number) => void = () => undefined,
): Networks {
  const cursor = new NetworkCursor(dataset.layout);
  const own = filters.filter((filter) => filter.dataset === dataset).map(toMatcher);
  let networks: Networks = new Matching(
    new Reported(cursor, dataset.layout.metadata.nodeCount, visited),
    own,
  );
  for (const filter of filters.filter((filter) => filter.dataset !== dataset)) {
    const other = new Matching(new NetworkCursor(filter.dataset.layout), [toMatcher(filter)]);
    networks = new Intersection(networks, other);
  }
  return networks;
}

function toMatcher({ dataset, condition }: Filter): (offset: number) => boolean {
  return matcherOf(dataset, condition);
}

/** Reports the progress of a cursor. */
class Reported implements Networks {
  readonly address: Address;
  #count = 0;

  constructor(
    private readonly cursor: NetworkCursor,
    private readonly nodeCount: number,
    private readonly visited: (share: number) => void,
  ) {
    this.address = cursor.address;
  }

  get length(): number {
    return this.cursor.length;
  }

  get offset(): number {
    return this.cursor.offset;
  }

  next(): boolean {
    if ((++this.#count & 0x3fff) === 0) this.visited(Math.min(1, this.cursor.nodes / this.nodeCount));
    return this.cursor.next();
  }
}

/** The networks whose records pass all matchers. */
class Matching implements Networks {
  readonly address: Address;

  constructor(
    private readonly networks: Networks,
    private readonly matchers: readonly ((offset: number) => boolean)[],
  ) {
    this.address = networks.address;
  }

  get length(): number {
    return this.networks.length;
  }

  get offset(): number {
    return this.networks.offset;
  }

  next(): boolean {
    while (this.networks.next()) {
      const { offset } = this.networks;
      if (this.matchers.every((matches) => matches(offset))) return true;
    }
    return false;
  }
}

/** The networks that are in two sequences: of two overlapping networks, the longer one. Records are those of the first. */
class Intersection implements Networks {
  readonly address = newAddress();
  length = 0;
  offset = 0;
  #started = false;
  #ended = false;

  constructor(
    private readonly first: Networks,
    private readonly second: Networks,
  ) {}

  next(): boolean {
    const { first, second } = this;
    if (this.#ended) return false;
    if (!this.#started) {
      this.#started = true;
      this.#ended = !first.next() || !second.next();
    } else this.#ended = !this.#advance();
    while (!this.#ended) {
      const shorter = Math.min(first.length, second.length);
      if (commonBits(first.address, second.address) >= shorter) {
        const longer = first.length >= second.length ? first : second;
        this.address.set(longer.address);
        this.length = longer.length;
        this.offset = first.offset;
        return true;
      }
      const behind = compareAddresses(first.address, second.address) < 0 ? first : second;
      this.#ended = !behind.next();
    }
    return false;
  }

  /** Moves past the pair that was returned last: the longer network ends first. */
  #advance(): boolean {
    const { first, second } = this;
    if (first.length === second.length) return first.next() && second.next();
    return first.length > second.length ? first.next() : second.next();
  }
}
