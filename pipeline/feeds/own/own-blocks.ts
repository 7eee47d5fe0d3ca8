import { isInIpv4Space, type Address } from '../../net/address.js';
import type { Prefix } from '../../net/prefix.js';
import type { FlatTable } from '../../table/flat-table.js';
import { isLeaf, isNode, recordIdOf } from '../../table/slots.js';

/** The blocks whose most specific registration with a geofeed names one geofeed. */
export class OwnBlocks {
  readonly #table: FlatTable;
  readonly #number: number | undefined;
  /** Whether a block is below a node, by node: a file may repeat a row a million times. */
  readonly #hasBlocks = new Map<number, boolean>();

  /** The blocks are the networks of `table` with the record id `number`; without a number there is none. */
  constructor(table: FlatTable, number: number | undefined) {
    this.#table = table;
    this.#number = number;
  }

  /** Whether any registration names the geofeed. */
  get isNamed(): boolean {
    return this.#number !== undefined;
  }

  /** Whether the blocks contain the whole prefix. */
  contain(prefix: Prefix): boolean {
    const slot = this.#slotOf(prefix);
    return slot !== undefined && isLeaf(slot) && recordIdOf(slot) === this.#number;
  }

  /** Returns the node of a prefix that the blocks contain partly; undefined for other prefixes. */
  nodeOf(prefix: Prefix): number | undefined {
    const node = this.#slotOf(prefix);
    if (node === undefined || !isNode(node)) return undefined;
    let hasBlocks = this.#hasBlocks.get(node);
    if (hasBlocks === undefined) {
      hasBlocks = false;
      const { address, length } = prefix;
      this.forEachBelow({ node, address: address.slice(), length }, () => (hasBlocks = true));
      this.#hasBlocks.set(node, hasBlocks);
    }
    return hasBlocks ? node : undefined;
  }

  /** Calls `visit` for every block below a node. Changes `at.address` while it runs and passes it to `visit`. */
  forEachBelow(
    at: { readonly node: number; readonly address: Address; readonly length: number },
    visit: (address: Address, length: number) => void,
  ): void {
    this.#table.forEachBelow(at, (address, length, number) => {
      if (number === this.#number) visit(address, length);
    });
  }

  /** IPv6 text inside ::/96 is not IPv4, although IPv4 is stored there. */
  #slotOf({ address, length, family }: Prefix): number | undefined {
    if (this.#number === undefined || (family === 6 && isInIpv4Space(address))) return undefined;
    return this.#table.slotOfPrefix(address, length);
  }
}
