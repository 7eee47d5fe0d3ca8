import { Uint32Column } from '../table/slots.js';

/**
 * The keys of the maps that contain the current point of a walk, as byte ranges of the data section. Innermost
 * last.
 */
export class KeyStack {
  readonly #section: Buffer;
  readonly #offsets = new Uint32Column();
  readonly #sizes = new Uint32Column();

  constructor(section: Buffer) {
    this.#section = section;
  }

  get length(): number {
    return this.#offsets.length;
  }

  push(offset: number, size: number): void {
    this.#offsets.reserve(1);
    this.#sizes.reserve(1);
    this.#offsets.values[this.#offsets.length++] = offset;
    this.#sizes.values[this.#sizes.length++] = size;
  }

  /** Removes the keys from position `from` on. Returns the offset of a duplicate key among them, if any. */
  takeDuplicate(from: number): number | undefined {
    const duplicate = this.length - from > PAIRWISE_KEYS ? this.#findSorted(from) : this.#findPairwise(from);
    this.#offsets.length = from;
    this.#sizes.length = from;
    return duplicate;
  }

  #findPairwise(from: number): number | undefined {
    for (let i = from + 1; i < this.length; i++) {
      for (let j = from; j < i; j++) if (this.#compare(i, j) === 0) return this.#offsets.values[i];
    }
    return undefined;
  }

  #findSorted(from: number): number | undefined {
    const order = Uint32Array.from({ length: this.length - from }, (_, i) => from + i);
    order.sort((a, b) => this.#compare(a, b));
    const duplicate = order.findIndex((key, i) => i > 0 && this.#compare(key, order[i - 1]!) === 0);
    return duplicate < 0 ? undefined : this.#offsets.values[order[duplicate]!];
  }

  /** Compares two keys in an arbitrary total order. Returns 0 for equal bytes. */
  #compare(a: number, b: number): number {
    const size = this.#sizes.values[a]!;
    const otherSize = this.#sizes.values[b]!;
    if (size !== otherSize) return size - otherSize;
    const at = this.#offsets.values[a]!;
    const otherAt = this.#offsets.values[b]!;
    const section = this.#section;
    if (at === otherAt || size === 0) return 0;
    const first = section[at]! - section[otherAt]!;
    return first !== 0 ? first : section.compare(section, otherAt, otherAt + size, at, at + size);
  }
}

/** The number of keys up to which comparing all pairs is faster than sorting. */
const PAIRWISE_KEYS = 24;
