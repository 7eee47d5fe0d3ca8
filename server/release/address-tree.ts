import { parseAddressInto, type Address } from '../../pipeline/net/address.js';

/** The search tree of an MMDB file: two records of 24, 28 or 32 bits per node, big-endian. */
export interface TreeLayout {
  readonly nodeCount: number;
  readonly recordSize: number;
  readonly ipVersion: number;
}

/** Reads the left or right record of a node. */
type Child = (bytes: Uint8Array, node: number, bit: number) => number;

/** Looks up addresses in the search tree of a complete file. Allocates nothing. */
export class AddressTree {
  readonly #bytes: Uint8Array;
  readonly #nodeCount: number;
  readonly #child: Child;
  readonly #ipVersion: number;
  /** The node of IPv4 space, or the pointer that all of it shares. */
  readonly #ipv4Root: number;
  readonly #address: Address = new Uint32Array(4);

  constructor(bytes: Uint8Array, { nodeCount, recordSize, ipVersion }: TreeLayout) {
    this.#bytes = bytes;
    this.#nodeCount = nodeCount;
    this.#child = recordSize === 24 ? child24 : recordSize === 28 ? child28 : child32;
    this.#ipVersion = ipVersion;
    this.#ipv4Root = ipVersion === 4 ? 0 : this.#walk(0, 96, 0);
  }

  /** Returns the data pointer of an address. Undefined without one, and for text that is not an address of the tree. */
  find(ip: string): number | undefined {
    const address = this.#address;
    const family = parseAddressInto(ip, address);
    if (family === undefined) return undefined;
    return family === 4 ? this.findKey(address[3]!) : this.findAddress(address);
  }

  /** Returns the data pointer of an IPv6 address. */
  findAddress(address: Address): number | undefined {
    if (this.#ipVersion === 4) return undefined;
    let node = 0;
    for (let i = 0; i < 4 && node < this.#nodeCount; i++) node = this.#walk(node, 32, address[i]!);
    return this.#pointer(node);
  }

  /** Returns the data pointer of an IPv4 address, given as 32 bits. */
  findKey(key: number): number | undefined {
    return this.#pointer(this.#walk(this.#ipv4Root, 32, key));
  }

  /** Returns the node of an IPv4 prefix, given as its bits; the pointer of a shorter prefix that contains it. */
  ipv4Node(bits: number, length: number): number {
    return this.#walk(this.#ipv4Root, length, bits << (32 - length));
  }

  /** The number of bits that `below` followed. */
  steps = 0;

  /** Follows at most `length` bits from a node. Returns the data pointer, or 0 without one. Sets `steps`. */
  below(from: number, bits: number, length: number): number {
    const nodeCount = this.#nodeCount;
    let node = from;
    let steps = 0;
    for (; steps < length && node < nodeCount; steps++)
      node = this.#child(this.#bytes, node, (bits >>> (length - 1 - steps)) & 1);
    this.steps = steps;
    return node > nodeCount ? node : 0;
  }

  /** Follows `steps` bits of `word` from a node, highest first. Bits after the 32nd are 0. */
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

  /** Returns a data pointer. `nodeCount` means no record. A tree deeper than an address has no record either. */
  #pointer(node: number): number | undefined {
    return node > this.#nodeCount ? node : undefined;
  }
}

function child24(bytes: Uint8Array, node: number, bit: number): number {
  const at = node * 6 + bit * 3;
  return (bytes[at]! << 16) | (bytes[at + 1]! << 8) | bytes[at + 2]!;
}

/** 28 bits: the fourth byte holds the highest four bits of both records. */
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
