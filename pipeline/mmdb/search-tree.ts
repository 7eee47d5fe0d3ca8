import assert from 'node:assert';
import { bitOf, IPV4_DEPTH, newAddress, type Address } from '../net/address.js';
import { parsePrefix, prefixFamily } from '../net/prefix.js';
import type { FlatTable } from '../table/flat-table.js';
import { isLeaf, isNode, NONE, Uint32Column } from '../table/slots.js';
import { MmdbEncodeError } from './encode-error.js';

/** A search tree of slots as in `table/slots.ts`: node numbers, leaves with record ids, NONE. Node 0 is the root. */
export interface SearchTree {
  readonly slots: Uint32Array;
  readonly nodeCount: number;
}

/**
 * IPv6 networks that are aliases of the IPv4 tree: IPv4-mapped (RFC 4291 §2.5.5.2) and 6to4 (RFC 3056). Teredo,
 * 2001::/32, is not an alias, although other writers make it one: the 32 bits after its prefix are the address of the
 * Teredo server, and the client's address is obfuscated at the end (RFC 4380 §4).
 */
export const IPV4_ALIASES: readonly string[] = ['::ffff:0:0/96', '2002::/16'];

/** Returns the subtree at ::/96 as the tree of an IPv4 file. Throws MmdbEncodeError when the table contains IPv6. */
export function ipv4Tree(table: FlatTable): SearchTree {
  const root = table.slotOfPrefix(newAddress(), IPV4_DEPTH);
  if (!isNode(root)) {
    table.forEach((address, length) => {
      if (prefixFamily(address, length) === 6) throw new MmdbEncodeError(IPV6_IN_IPV4);
    });
    return { slots: Uint32Array.of(root, root), nodeCount: 1 };
  }
  // Nodes are in preorder: the path to ::/96, then its subtree, then everything after ::/96.
  let end = root + 1;
  for (let node = root; node < end; node++) {
    for (let side = 0; side < 2; side++) {
      const slot = table.slots[2 * node + side]!;
      if (isNode(slot) && slot >= end) end = slot + 1;
    }
  }
  if (end !== table.nodeCount || hasLeafBefore(table.slots, root)) {
    throw new MmdbEncodeError(IPV6_IN_IPV4);
  }
  const slots = table.slots.slice(2 * root, 2 * end);
  for (let i = 0; i < slots.length; i++) if (isNode(slots[i]!)) slots[i] = slots[i]! - root;
  return { slots, nodeCount: end - root };
}

const IPV6_IN_IPV4 = 'the table contains IPv6 networks: expected only IPv4 for an IPv4 file';

/**
 * Returns the tree of a file for both families: the nodes of the table, a node at ::/96 when there is IPv4 data, and
 * the aliases that refer to it. Throws MmdbEncodeError when the table contains networks inside an alias.
 */
export function ipv6Tree(table: FlatTable): SearchTree {
  const column = new Uint32Column(2 * table.nodeCount + 1024);
  column.values.set(table.slots.subarray(0, 2 * table.nodeCount));
  column.length = 2 * table.nodeCount;
  if (table.slotOfPrefix(newAddress(), IPV4_DEPTH) !== NONE) {
    const ipv4Root = openPath(column, newAddress(), IPV4_DEPTH);
    for (const alias of IPV4_ALIASES) graft(column, alias, ipv4Root);
  }
  return { slots: column.values.subarray(0, column.length), nodeCount: column.length >>> 1 };
}

/** Sets the record of a prefix to `node`. Divides a shorter network that covers the prefix. */
function graft(column: Uint32Column, text: string, node: number): void {
  const prefix = parsePrefix(text);
  assert(prefix, `alias ${text}`);
  const lengthBefore = column.length;
  const parent = openPath(column, prefix.address, prefix.length - 1);
  const index = 2 * parent + bitOf(prefix.address, prefix.length - 1);
  const slot = column.values[index]!;
  // A leaf that was reached without dividing a shorter network is the network of the prefix itself.
  const isTaken = isNode(slot) || (isLeaf(slot) && column.length === lengthBefore);
  if (isTaken)
    throw new MmdbEncodeError(`the table contains networks inside ${text}, an alias of the IPv4 tree`);
  column.values[index] = node;
}

/** Returns the node at the first `depth` bits of `address`. Divides leaves and gaps on the way. */
function openPath(column: Uint32Column, address: Address, depth: number): number {
  let node = 0;
  for (let at = 0; at < depth; at++) {
    const index = 2 * node + bitOf(address, at);
    const slot = column.values[index]!;
    if (isNode(slot)) {
      node = slot;
      continue;
    }
    column.reserve(2);
    node = column.length >>> 1;
    column.values.fill(slot, column.length, column.length + 2);
    column.length += 2;
    column.values[index] = node;
  }
  return node;
}

function hasLeafBefore(slots: Uint32Array, node: number): boolean {
  for (let i = 0; i < 2 * node; i++) if (isLeaf(slots[i]!)) return true;
  return false;
}
