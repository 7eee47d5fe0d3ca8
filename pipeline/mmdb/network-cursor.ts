import { ADDRESS_BITS, IPV4_DEPTH, newAddress, type Address } from '../net/address.js';
import { MmdbError, type MmdbFault } from './mmdb-error.js';
import { recordReader, type MmdbLayout, type RecordReader } from './tree-layout.js';
import { ipv4RootOf, TreePath } from './tree-path.js';

/**
 * Visits the networks of a search tree in address order, with memory for one path. Aliases of the IPv4 tree are
 * skipped. An IPv4 file is visited at ::/96. The fields describe the current network; `next` changes them in place.
 */
export class NetworkCursor {
  /** The first address. */
  readonly address: Address = newAddress();
  /** The length in bits, 0..128. */
  length = 0;
  /** The offset of the record in the data section. */
  offset = 0;
  /** The nodes visited so far. */
  nodes = 0;
  readonly #layout: MmdbLayout;
  readonly #record: RecordReader;
  readonly #path: TreePath;
  readonly #ipv4Root: number | undefined;
  /** Bits above the root of the file. */
  readonly #above: number;
  /** The node at each depth of the path. */
  readonly #stack = new Float64Array(ADDRESS_BITS + 1);
  /** The side to take next at each depth: 2 when both were taken. */
  readonly #sides = new Uint8Array(ADDRESS_BITS + 1);
  #depth = 0;

  constructor(layout: MmdbLayout) {
    const { metadata, tree } = layout;
    this.#layout = layout;
    this.#record = recordReader(tree, metadata.recordSize);
    this.#path = new TreePath(metadata.ipVersion);
    this.#ipv4Root = ipv4RootOf(layout, this.#record);
    this.#above = metadata.ipVersion === 4 ? IPV4_DEPTH : 0;
  }

  /** Moves to the next network with a record. Returns false after the last. Throws MmdbError for a damaged tree. */
  next(): boolean {
    const { nodeCount } = this.#layout.metadata;
    while (this.#depth >= 0) {
      const depth = this.#depth;
      const side = this.#sides[depth]!;
      if (side === 2) {
        this.#depth--;
        continue;
      }
      this.#sides[depth] = side + 1;
      this.#turn(depth, side);
      const value = this.#record(this.#stack[depth]!, side);
      if (value < nodeCount) this.#enter(value, depth + 1);
      else if (value > nodeCount) {
        this.#settle(value, depth + 1);
        return true;
      }
    }
    return false;
  }

  /** Sets the bit of the path at `depth`, and clears those below. */
  #turn(depth: number, side: number): void {
    this.#path.sides[depth] = side;
    const bit = this.#above + depth;
    const word = bit >>> 5;
    const mask = 1 << (31 - (bit & 31));
    // Keeps the bits above, sets this one, and clears the bits below.
    this.address[word] = (this.address[word]! & ~(mask | (mask - 1))) | (side === 0 ? 0 : mask);
    for (let after = word + 1; after < 4; after++) this.address[after] = 0;
  }

  #enter(node: number, depth: number): void {
    if (node === this.#ipv4Root && this.#path.aliasAt(depth) !== undefined) return;
    if (depth === this.#path.depthLimit)
      throw this.#error('tree-depth', depth, `node ${node} is below the last bit of an address`);
    if (this.nodes++ > this.#layout.metadata.nodeCount)
      throw this.#error('node-shared', depth, 'the tree has more paths than nodes');
    this.#stack[depth] = node;
    this.#sides[depth] = 0;
    this.#depth = depth;
  }

  #settle(value: number, depth: number): void {
    const { data, dataBias } = this.#layout;
    const offset = value - dataBias;
    if (offset < 0 || offset >= data.length)
      throw this.#error('record-range', depth, `record ${value} is not in the data section`);
    this.offset = offset;
    this.length = this.#above + depth;
  }

  #error(fault: MmdbFault, depth: number, found: string): MmdbError {
    const offset = (this.#stack[depth - 1]! * this.#layout.metadata.recordSize) / 4;
    return new MmdbError(fault, { offset, path: this.#path.network(depth) }, found);
  }
}
