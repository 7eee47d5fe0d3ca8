import { bitOf, IPV4_DEPTH, isInIpv4Space, newAddress, type Address } from '../net/address.js';
import { isLeaf, isNode, NONE, recordIdOf } from './slots.js';

/** The result of a lookup: a record id, and the length of its network in bits of the 128-bit space. */
export interface Match {
  readonly recordId: number;
  readonly length: number;
}

/**
 * A flattened prefix table: disjoint networks with one record id each, as a binary trie. Node n has its slots at 2n
 * (bit 0) and 2n+1 (bit 1). The root is node 0. Nodes are in preorder. No node except the root has the same leaf on
 * both sides. Immutable by contract: `slots` must not be written after construction.
 */
export class FlatTable {
  /** The slot at ::/96, where IPv4 lookups start. */
  readonly #ipv4Slot: number;

  constructor(
    /** Two slots per node. The first `2 * nodeCount` are used. */
    readonly slots: Uint32Array,
    readonly nodeCount: number,
  ) {
    this.#ipv4Slot = this.#walk(0, 0, newAddress(), IPV4_DEPTH);
  }

  /** Creates a table without networks. */
  static empty(): FlatTable {
    return new FlatTable(new Uint32Array([NONE, NONE]), 1);
  }

  /** Returns the network that contains `address`, or undefined. */
  lookup(address: Address): Match | undefined {
    let slot = 0;
    let length = 0;
    while (isNode(slot)) slot = this.slots[2 * slot + bitOf(address, length++)]!;
    return slot === NONE ? undefined : { recordId: recordIdOf(slot), length };
  }

  /**
   * Returns the slot of a whole prefix: a leaf or NONE when one network or gap covers all of it, a node number when
   * it is divided.
   */
  slotOfPrefix(address: Address, length: number): number {
    const isIpv4 = length >= IPV4_DEPTH && isInIpv4Space(address);
    return isIpv4
      ? this.#walk(this.#ipv4Slot, IPV4_DEPTH, address, length)
      : this.#walk(0, 0, address, length);
  }

  /** Calls `visit` for every network in address order. `address` is reused: copy it to keep it. */
  forEach(visit: (address: Address, length: number, recordId: number) => void): void {
    this.forEachBelow({ node: 0, address: newAddress(), length: 0 }, visit);
  }

  /**
   * Calls `visit` for every network below a node, which is at the prefix `at`, in address order. Changes `at.address`
   * while it runs; the address passed to `visit` is the same one.
   */
  forEachBelow(
    { node: top, address, length: topLength }: { node: number; address: Address; length: number },
    visit: (address: Address, length: number, recordId: number) => void,
  ): void {
    const { slots } = this;
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
    descend(top, topLength);
  }

  /** Returns the number of networks. */
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
