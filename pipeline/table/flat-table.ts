import { bitOf, IPV4_DEPTH, newAddress, type Address } from '../net/address.js';
import { isLeaf, isNode, NONE, recordIdOf } from './slots.js';

/** What a lookup found: the record id and the length in bits (128-bit space) of the network that holds it. */
export interface Match {
  readonly recordId: number;
  readonly length: number;
}

/**
 * A flattened prefix table: disjoint networks, each with one record id, as a binary trie. Node n has its slots at
 * 2n (bit 0) and 2n+1 (bit 1), the root is node 0, nodes stand in preorder, and below the root no node holds the
 * same leaf twice. Immutable by contract: nobody writes `slots` once the table is made.
 */
export class FlatTable {
  /** The slot at ::/96, where every IPv4 walk starts. */
  readonly #ipv4Slot: number;

  constructor(
    /** Two slots per node; the first `2 * nodeCount` are in use. */
    readonly slots: Uint32Array,
    readonly nodeCount: number,
  ) {
    this.#ipv4Slot = this.#walk(0, 0, newAddress(), IPV4_DEPTH);
  }

  /** A table without any network. */
  static empty(): FlatTable {
    return new FlatTable(new Uint32Array([NONE, NONE]), 1);
  }

  /** The network that holds `address`; absent where there is none. */
  lookup(address: Address): Match | undefined {
    let slot = 0;
    let length = 0;
    while (isNode(slot)) slot = this.slots[2 * slot + bitOf(address, length++)]!;
    return slot === NONE ? undefined : { recordId: recordIdOf(slot), length };
  }

  /**
   * The slot that decides about a whole prefix: a leaf or NONE when one network or gap covers all of it, a node
   * number when it is divided.
   */
  slotOfPrefix(address: Address, length: number): number {
    const isIpv4 = length >= IPV4_DEPTH && address[0] === 0 && address[1] === 0 && address[2] === 0;
    return isIpv4
      ? this.#walk(this.#ipv4Slot, IPV4_DEPTH, address, length)
      : this.#walk(0, 0, address, length);
  }

  /** Calls `visit` for every network in address order. `address` is reused: copy it to keep it. */
  forEach(visit: (address: Address, length: number, recordId: number) => void): void {
    const { slots } = this;
    const address = newAddress();
    const descend = (node: number, depth: number): void => {
      const word = depth >>> 5;
      const bit = 1 << (31 - (depth & 31));
      for (let side = 0; side < 2; side++) {
        if (side === 1) address[word] = address[word]! | bit;
        const slot = slots[2 * node + side]!;
        if (isNode(slot)) descend(slot, depth + 1);
        else if (slot !== NONE) visit(address, depth + 1, recordIdOf(slot));
      }
      address[word] = address[word]! & ~bit;
    };
    descend(0, 0);
  }

  /** How many networks the table holds. */
  networkCount(): number {
    let count = 0;
    for (let i = 0; i < 2 * this.nodeCount; i++) if (isLeaf(this.slots[i]!)) count++;
    return count;
  }

  #walk(slot: number, depth: number, address: Address, until: number): number {
    while (depth < until && isNode(slot)) slot = this.slots[2 * slot + bitOf(address, depth++)]!;
    return slot;
  }
}
