import assert from 'node:assert';
import { ADDRESS_BITS, bitOf, commonBits, newAddress, type Address } from '../net/address.js';
import { splitRange } from '../net/range.js';
import { FlatTable } from './flat-table.js';
import { FlatTableBuilder } from './flat-table-builder.js';
import { isLeaf, isNode, leafSlot, LEAF, MAX_RECORD_ID, NONE, Uint32Column } from './slots.js';

/** A prefix that covers an address: its length in bits of the 128-bit space, and its record id. */
export interface Covering {
  readonly length: number;
  readonly recordId: number;
}

/**
 * A mutable prefix table. Prefixes and ranges are inserted in any order; the most specific wins. It is a binary trie in
 * two columns: two slots per node, and per node the record of the prefix that ends at the node. Covering prefixes are
 * therefore kept until `flatten`.
 *
 * An insertion starts where its path leaves the path of the previous insertion, so sorted input takes a few steps per
 * prefix.
 */
export class PrefixTable {
  readonly #slots = new Uint32Column(4096);
  /** The leaf slot of the prefix that ends at the node, or NONE. */
  readonly #own = new Uint32Column(2048);
  /** The nodes on the path of the last inserted prefix; entry d is at its first d bits. Valid to `#pathDepth`. */
  readonly #path = new Uint32Array(ADDRESS_BITS);
  readonly #pathAddress = newAddress();
  #pathDepth = 0;

  constructor() {
    this.#newNode(NONE);
  }

  get nodeCount(): number {
    return this.#own.length;
  }

  /**
   * Inserts a prefix (0..128 bits, host bits 0). Returns undefined when it was inserted. When the table already has
   * the prefix, returns its record id and changes nothing.
   */
  insert(address: Address, length: number, recordId: number): number | undefined {
    assert(recordId >= 0 && recordId <= MAX_RECORD_ID, 'invalid record id: expected 0 to 2^31 - 2');
    const leaf = leafSlot(recordId);
    if (length === 0) return this.#insertAtNode(0, leaf);
    const parent = this.#descend(address, length - 1);
    const index = 2 * parent + bitOf(address, length - 1);
    const slot = this.#slots.values[index]!;
    if (isNode(slot)) return this.#insertAtNode(slot, leaf);
    if (slot !== NONE) return slot & ~LEAF;
    this.#slots.values[index] = leaf;
    return undefined;
  }

  /**
   * Inserts `start`..`end` (inclusive, `start` <= `end`) as the fewest prefixes. Calls `taken` for each prefix that
   * the table already has, with the record id of that prefix, which is kept.
   */
  insertRange(start: Address, end: Address, recordId: number, taken?: (recordId: number) => void): void {
    splitRange(start, end, (address, length) => {
      const held = this.insert(address, length, recordId);
      if (held !== undefined) taken?.(held);
    });
  }

  /** Returns the prefixes of at most `maxLength` bits that cover `address`, the shortest first. */
  covering(address: Address, maxLength: number = ADDRESS_BITS): Covering[] {
    const found: Covering[] = [];
    let slot = 0;
    for (let depth = 0; depth <= maxLength; depth++) {
      const own = isNode(slot) ? this.#own.values[slot]! : slot;
      if (own !== NONE) found.push({ length: depth, recordId: own & ~LEAF });
      if (!isNode(slot) || depth === ADDRESS_BITS) break;
      slot = this.#slots.values[2 * slot + bitOf(address, depth)]!;
    }
    return found;
  }

  /** Returns disjoint networks, each with the record of its most specific prefix. Equal neighbours are joined. */
  flatten(): FlatTable {
    const slots = this.#slots.values;
    const own = this.#own.values;
    const builder = new FlatTableBuilder(this.nodeCount);
    const settle = (slot: number, inherited: number, depth: number): number => {
      if (slot === NONE) return inherited;
      if (isLeaf(slot)) return slot;
      const covering = own[slot] === NONE ? inherited : own[slot]!;
      const node = builder.open();
      const left = settle(slots[2 * slot]!, covering, depth + 1);
      const right = settle(slots[2 * slot + 1]!, covering, depth + 1);
      return builder.close(node, depth, left, right);
    };
    settle(0, NONE, 0);
    return builder.build();
  }

  #insertAtNode(node: number, leaf: number): number | undefined {
    const held = this.#own.values[node]!;
    if (held !== NONE) return held & ~LEAF;
    this.#own.values[node] = leaf;
    return undefined;
  }

  /** Returns the node at the first `depth` bits of `address`. Creates it and its ancestors where missing. */
  #descend(address: Address, depth: number): number {
    const path = this.#path;
    let at = Math.min(commonBits(this.#pathAddress, address), this.#pathDepth, depth);
    let node = path[at]!;
    for (; at < depth; at++) {
      const index = 2 * node + bitOf(address, at);
      const slot = this.#slots.values[index]!;
      if (isNode(slot)) {
        node = slot;
      } else {
        const made = this.#newNode(slot);
        this.#slots.values[index] = made;
        node = made;
      }
      path[at + 1] = node;
    }
    this.#pathAddress.set(address);
    this.#pathDepth = depth;
    return node;
  }

  #newNode(own: number): number {
    const slots = this.#slots;
    const owns = this.#own;
    const node = owns.length;
    if (slots.length + 2 > slots.values.length) slots.reserve(2);
    if (owns.length === owns.values.length) owns.reserve(1);
    slots.values[2 * node] = NONE;
    slots.values[2 * node + 1] = NONE;
    owns.values[node] = own;
    slots.length += 2;
    owns.length += 1;
    return node;
  }
}
