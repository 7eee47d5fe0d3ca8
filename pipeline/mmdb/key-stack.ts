import { Uint32Column } from '../table/slots.js';

/** The keys of the maps that a walk is inside of, as runs of bytes in the data section; the innermost map's last. */
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

  /** Takes the keys from position `from` on off the stack; the offset of one that is there twice, if any is. */
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
    const twice = order.findIndex((key, i) => i > 0 && this.#compare(key, order[i - 1]!) === 0);
    return twice < 0 ? undefined : this.#offsets.values[order[twice]!];
  }

  /** 0 for equal bytes; otherwise some order. */
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

/** Up to so many keys, comparing each with each is quicker than sorting. */
const PAIRWISE_KEYS = 24;
