import { ADDRESS_BITS, IPV4_DEPTH, type Family } from '../net/address.js';
import type { FlatTable } from './flat-table.js';
import { isNode, NONE, recordIdOf } from './slots.js';

/** The networks of a table by group of records, family and length; see `countNetworks`. */
export interface NetworkCounts {
  /** Calls `visit` for every group, family and length with networks. Lengths are in the 128-bit space. */
  forEach(visit: (group: number, network: { family: Family; length: number }, count: number) => void): void;
  /** The network that contains ::/96 and more, if there is one: it has addresses of both families. */
  readonly spanning: { readonly group: number; readonly length: number } | undefined;
}

/**
 * Counts the networks of a table in one pass over its slots, without their addresses. `groupOf` has the group of each
 * record id, below `groups`; without it all records are in group 0.
 */
export function countNetworks(table: FlatTable, groups = 1, groupOf?: Uint32Array): NetworkCounts {
  const { slots, nodeCount } = table;
  const path = alongZeros(table);
  const depths = new Uint8Array(nodeCount);
  const counts = new Uint32Array(groups * GROUP_CELLS);
  for (let node = 0; node < nodeCount; node++) {
    const depth = depths[node]! + 1;
    const isIpv4 = node >= path.ipv4From && node < path.ipv4To;
    const cell = (isIpv4 ? FAMILY_CELLS : 0) + depth;
    for (let index = 2 * node; index < 2 * node + 2; index++) {
      const slot = slots[index]!;
      // A node is stored before the nodes below it.
      if (isNode(slot)) depths[slot] = depth;
      else if (slot !== NONE && index !== path.leafIndex) {
        const group = groupOf === undefined ? 0 : groupOf[recordIdOf(slot)]!;
        counts[group * GROUP_CELLS + cell]!++;
      }
    }
  }
  let spanning: NetworkCounts['spanning'];
  if (path.leafIndex !== undefined) {
    const group = groupOf?.[recordIdOf(slots[path.leafIndex]!)] ?? 0;
    if (path.length < IPV4_DEPTH) spanning = { group, length: path.length };
    else counts[group * GROUP_CELLS + FAMILY_CELLS + path.length]!++;
  }
  return {
    forEach: (visit) => {
      forEachCount(counts, visit);
    },
    spanning,
  };
}

/** The nodes below ::/96, which are stored side by side, and the index of the leaf that covers ::/96, if one does. */
interface ZeroPath {
  readonly ipv4From: number;
  readonly ipv4To: number;
  readonly leafIndex: number | undefined;
  readonly length: number;
}

function alongZeros({ slots, nodeCount }: FlatTable): ZeroPath {
  let node = 0;
  let ipv4To = nodeCount;
  for (let depth = 0; depth < IPV4_DEPTH; depth++) {
    const right = slots[2 * node + 1]!;
    // The nodes on the left come before those on the right.
    if (isNode(right)) ipv4To = right;
    const left = slots[2 * node]!;
    if (!isNode(left)) {
      const leafIndex = left === NONE ? undefined : 2 * node;
      return { ipv4From: 0, ipv4To: 0, leafIndex, length: depth + 1 };
    }
    node = left;
  }
  return { ipv4From: node, ipv4To, leafIndex: undefined, length: IPV4_DEPTH };
}

function forEachCount(counts: Uint32Array, visit: Parameters<NetworkCounts['forEach']>[0]): void {
  for (let at = 0; at < counts.length; at++) {
    const count = counts[at]!;
    if (count === 0) continue;
    const cell = at % GROUP_CELLS;
    const family = cell < FAMILY_CELLS ? 6 : 4;
    visit((at - cell) / GROUP_CELLS, { family, length: cell % FAMILY_CELLS }, count);
  }
}

/** One cell per length. */
const FAMILY_CELLS = ADDRESS_BITS + 1;
const GROUP_CELLS = 2 * FAMILY_CELLS;
