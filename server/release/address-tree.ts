import { parseAddressInto, type Address } from '../../pipeline/net/address.js';

/** The search tree of an MMDB file: two records of 24, 28 or 32 bits per node, big-endian. */
export interface TreeLayout {
  readonly nodeCount: number;
  readonly recordSize: number;
  readonly ipVersion: number;
}

/** The node or data pointer on one side of a node. */
type Child = (bytes: Uint8Array, node: number, bit: number) => number;

/** Walks the search tree of a file that holds all of it. Allocates nothing. */
export class AddressTree {
  readonly #bytes: Uint8Array;
  readonly #nodeCount: number;
  readonly #child: Child;
  readonly #ipVersion: number;
  /** Where the 32 bits of an IPv4 address begin: a node, or what all of IPv4 has in common. */
  readonly #ipv4Root: number;
  readonly #address: Address = new Uint32Array(4);

  constructor(bytes: Uint8Array, { nodeCount, recordSize, ipVersion }: TreeLayout) {
    this.#bytes = bytes;
    this.#nodeCount = nodeCount;
    this.#child = recordSize === 24 ? child24 : recordSize === 28 ? child28 : child32;
    this.#ipVersion = ipVersion;
    this.#ipv4Root = ipVersion === 4 ? 0 : this.#walk(0, 96, 0);
  }

  /** The pointer found for an address text; absent when there is none, or the text is no address of the tree's kind. */
  find(ip: string): number | undefined {
    const address = this.#address;
    const family = parseAddressInto(ip, address);
    if (family === undefined) return undefined;
    if (family === 4) return this.findKey(address[3]!);
    if (this.#ipVersion === 4) return undefined;
    let node = 0;
    for (let i = 0; i < 4 && node < this.#nodeCount; i++) node = this.#walk(node, 32, address[i]!);
    return this.#pointer(node);
  }

  /** The same for the 32 bits of an IPv4 address. */
  findKey(key: number): number | undefined {
    return this.#pointer(this.#walk(this.#ipv4Root, 32, key));
  }

  /** Follows the highest bits of `word` from a node; 0 bits are left. Beyond 32 steps all of them are those of 0. */
  #walk(from: number, steps: number, word: number): number {
    const bytes = this.#bytes;
    const nodeCount = this.#nodeCount;
    const child = this.#child;
    let node = from;
    let bits = word;
    for (let depth = 0; depth < steps && node < nodeCount; depth++) {
      node = child(bytes, node, bits >>> 31);
      bits <<= 1;
    }
    return node;
  }

  /** `nodeCount` says that there is nothing; a tree deeper than an address has nothing either. */
  #pointer(node: number): number | undefined {
    return node > this.#nodeCount ? node : undefined;
  }
}

function child24(bytes: Uint8Array, node: number, bit: number): number {
  const at = node * 6 + bit * 3;
  return (bytes[at]! << 16) | (bytes[at + 1]! << 8) | bytes[at + 2]!;
}

/** The fourth byte holds the highest four bits of both records. */
function child28(bytes: Uint8Array, node: number, bit: number): number {
  const at = node * 7;
  const middle = bytes[at + 3]!;
  const from = at + bit * 4;
  const high = bit === 0 ? middle >>> 4 : middle & 15;
  return (high << 24) | (bytes[from]! << 16) | (bytes[from + 1]! << 8) | bytes[from + 2]!;
}

function child32(bytes: Uint8Array, node: number, bit: number): number {
  const at = node * 8 + bit * 4;
  return ((bytes[at]! << 24) | (bytes[at + 1]! << 16) | (bytes[at + 2]! << 8) | bytes[at + 3]!) >>> 0;
}
