import { ADDRESS_BITS, compareAddresses, IPV4_DEPTH, newAddress, type Address } from '../net/address.js';
import { formatPrefix, parsePrefix } from '../net/prefix.js';
import type { MmdbLayout, RecordReader } from './tree-layout.js';
import { IPV4_ALIASES } from './search-tree.js';

/** 2001::/32: an alias in the files of other writers, never in ours (see IPV4_ALIASES). */
export const TEREDO_ALIAS = '2001::/32';

/** The bits taken on the way from the root of a search tree to where a walk stands. */
export class TreePath {
  /** Side taken at each depth: 0 left, 1 right. The walk writes it. */
  readonly sides = new Uint8Array(ADDRESS_BITS);
  /** Bits of an address of the file: no node stands at this depth. */
  readonly depthLimit: number;

  constructor(ipVersion: 4 | 6) {
    this.depthLimit = ipVersion === 4 ? ADDRESS_BITS - IPV4_DEPTH : ADDRESS_BITS;
  }

  /** The network that the first `depth` sides lead to. */
  network(depth: number): string {
    const { address, length } = this.#prefix(depth);
    return formatPrefix(address, length);
  }

  /** The alias network that the first `depth` sides lead to; absent when that is none. */
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

/** The node at ::/96 of a tree for both families, the target of aliases; absent when no node stands there. */
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
