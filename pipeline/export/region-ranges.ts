import { compareAddresses, newAddress, type Address, type Family } from '../net/address.js';
import { lastAddressInto, prefixFamily } from '../net/prefix.js';
import { decrement, increment } from '../net/range.js';
import type { Networks } from './networks.js';

/** Receives a range and its text. Both addresses are inclusive and reused: copy them to keep them. */
export type RangeVisitor = (start: Address, end: Address, text: string) => void;

/**
 * Visits the networks of one family as ranges in address order; neighbours with the same text are one range. Networks of
 * `beside` divide those of `networks` and give `textOf` a second record, absent where they have none.
 */
export function visitRanges(
  family: Family,
  { networks, beside }: { readonly networks: Networks; readonly beside: Networks | undefined },
  textOf: (offset: number, besideOffset: number | undefined) => string,
  visit: RangeVisitor,
): void {
  const joiner = new RangeJoiner(visit);
  const other = beside && new Cursor(beside);
  const [start, end, pieceEnd] = [newAddress(), newAddress(), newAddress()];
  while (networks.next()) {
    if (prefixFamily(networks.address, networks.length) !== family) continue;
    const { offset } = networks;
    start.set(networks.address);
    lastAddressInto(start, networks.length, end);
    other?.moveTo(start);
    for (;;) {
      const covers = other?.isAt(start) ?? false;
      pieceEnd.set(other?.nextChange(start, end) ?? end);
      joiner.add(start, pieceEnd, textOf(offset, covers ? other!.offset : undefined));
      if (compareAddresses(pieceEnd, end) === 0) break;
      start.set(pieceEnd);
      increment(start);
      other?.moveTo(start);
    }
  }
  joiner.end();
}

/** A position in networks that are read along with others. */
class Cursor {
  readonly #last = newAddress();
  readonly #change = newAddress();
  #more: boolean;

  constructor(private readonly networks: Networks) {
    this.#more = true;
    this.#advance();
  }

  get offset(): number {
    return this.networks.offset;
  }

  /** Moves to the first network that ends at or after an address. */
  moveTo(address: Address): void {
    while (this.#more && compareAddresses(this.#last, address) < 0) this.#advance();
  }

  /** Whether the network contains an address, after `moveTo`. */
  isAt(address: Address): boolean {
    return this.#more && compareAddresses(this.networks.address, address) <= 0;
  }

  /** The last address from `start` to `end` with the same network, or without one. Reused. */
  nextChange(start: Address, end: Address): Address {
    if (!this.#more) return end;
    if (this.isAt(start)) return compareAddresses(this.#last, end) < 0 ? this.#last : end;
    if (compareAddresses(this.networks.address, end) > 0) return end;
    this.#change.set(this.networks.address);
    decrement(this.#change);
    return this.#change;
  }

  #advance(): void {
    this.#more = this.networks.next();
    if (this.#more) lastAddressInto(this.networks.address, this.networks.length, this.#last);
  }
}

/** Joins ranges that follow each other and have the same text. */
class RangeJoiner {
  readonly #start = newAddress();
  readonly #end = newAddress();
  readonly #expected = newAddress();
  #text: string | undefined;

  constructor(private readonly visit: RangeVisitor) {}

  add(start: Address, end: Address, text: string): void {
    if (text !== this.#text || compareAddresses(start, this.#expected) !== 0) {
      this.end();
      this.#start.set(start);
      this.#text = text;
    }
    this.#end.set(end);
    this.#expected.set(end);
    increment(this.#expected);
  }

  end(): void {
    if (this.#text !== undefined) this.visit(this.#start, this.#end, this.#text);
    this.#text = undefined;
  }
}
