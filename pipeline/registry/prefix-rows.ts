import type { Address } from '../net/address.js';
import { Uint32Column } from '../table/slots.js';
import type { PrefixColumns } from './prefix-order.js';

/** Growing columns of prefixes, each with some named 32-bit integers. */
export class PrefixRows<Name extends string> implements PrefixColumns {
  readonly #words = new Uint32Column(4096);
  #lengths = new Uint8Array(1024);
  readonly #columns: Readonly<Record<Name, Uint32Column>>;
  readonly #names: readonly Name[];
  #count = 0;

  constructor(names: readonly Name[]) {
    this.#names = names;
    this.#columns = Object.fromEntries(names.map((name) => [name, new Uint32Column()])) as Record<
      Name,
      Uint32Column
    >;
  }

  get count(): number {
    return this.#count;
  }

  get addresses(): Uint32Array {
    return this.#words.values;
  }

  get lengths(): Uint8Array {
    return this.#lengths;
  }

  /** Returns the values of a column for reading and writing. The next `add` may replace the array. */
  column(name: Name): Uint32Array {
    return this.#columns[name].values;
  }

  /** Appends a copy of a prefix and returns its position. The caller writes the values of the columns. */
  add(address: Address, length: number): number {
    this.#words.reserve(4);
    this.#words.values.set(address, this.#words.length);
    this.#words.length += 4;
    if (this.#count === this.#lengths.length) {
      const grown = new Uint8Array(Math.ceil(this.#count * 1.5));
      grown.set(this.#lengths);
      this.#lengths = grown;
    }
    this.#lengths[this.#count] = length;
    for (const name of this.#names) {
      this.#columns[name].reserve(1);
      this.#columns[name].length++;
    }
    return this.#count++;
  }

  /** Returns copies of the prefixes at the positions, in that order. */
  pick(positions: Uint32Array): PrefixColumns {
    const addresses = new Uint32Array(4 * positions.length);
    positions.forEach((row, at) => {
      for (let word = 0; word < 4; word++) addresses[4 * at + word] = this.addresses[4 * row + word]!;
    });
    return { addresses, lengths: Uint8Array.from(positions, (row) => this.#lengths[row]!) };
  }
}

/** Appends one value. */
export function append(column: Uint32Column, value: number): void {
  column.reserve(1);
  column.values[column.length++] = value;
}

/** Returns the values of a growing column as a view. */
export function filled(column: Uint32Column): Uint32Array {
  return column.values.subarray(0, column.length);
}
