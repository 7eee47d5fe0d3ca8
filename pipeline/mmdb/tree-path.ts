import { ADDRESS_BITS, compareAddresses, IPV4_DEPTH, newAddress, type Address } from '../net/address.js';
import { formatPrefix, parsePrefix } from '../net/prefix.js';
import type { MmdbLayout, RecordReader } from './tree-layout.js';
import { IPV4_ALIASES } from './search-tree.js';

/** An alias in files of other writers, but not in ours (see IPV4_ALIASES). */
export const TEREDO_ALIAS = '2001::/32';

/** The path of a walk from the root of a search tree. */
export class TreePath {
  /** The side taken at each depth: 0 left, 1 right. Written by the walk. */
  readonly sides = new Uint8Array(ADDRESS_BITS);
  /** The number of bits of an address of the file. No node may be at this depth. */
  readonly depthLimit: number;

  constructor(ipVersion: 4 | 6) {
    this.depthLimit = ipVersion === 4 ? ADDRESS_BITS - IPV4_DEPTH : ADDRESS_BITS;
  }

  /** Formats the network at the first `depth` sides. */
  network(depth: number): string {
    const { address, length } = this.#prefix(depth);
    return formatPrefix(address, length);
  }

  /** Returns the alias at the first `depth` sides, or undefined when that network is not an alias. */
  aliasAt(depth: number): string | undefined {
    if (this.depthLimit !== ADDRESS_BITS) return undefined;
    const candidates = ALIASES.filter(({ length }) => length === depth);
    if (candidates.length === 0) return undefined;
    const { address } = this.#prefix(depth);
    return candidates.find((alias) => compareAddresses(alias.address, address) === 0)?.text;
  }

  #prefix(depth: number): { address: Address; length: number } {
    const offset = ADDRESS_BITS - this.depthLimit;
    const address = newAddress();
    for (let i = 0; i < depth; i++) {
      const bit = offset + i;
      if (this.sides[i] === 1) address[bit >>> 5]! |= 1 << (31 - (bit & 31));
    }
    return { address, length: offset + depth };
  }
}

/** Returns the node at ::/96 of a tree for both families, the target of aliases. Undefined when there is none. */
export function ipv4RootOf({ metadata }: MmdbLayout, record: RecordReader): number | undefined {
  if (metadata.ipVersion === 4) return undefined;
  let node = 0;
  for (let depth = 0; depth < IPV4_DEPTH; depth++) {
    if (node >= metadata.nodeCount) return undefined;
    node = record(node, 0);
  }
  return node < metadata.nodeCount ? node : undefined;
}

const ALIASES = [...IPV4_ALIASES, TEREDO_ALIAS].map((text) => ({ text, ...parsePrefix(text)! }));
