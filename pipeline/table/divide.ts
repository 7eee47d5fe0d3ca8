import { ADDRESS_BITS, newAddress } from '../net/address.js';
import { halfOf, nodesBelow, rootOf, sideOf, type Block, type Point, type SlotSource } from './subtree.js';

/** A part of the address space: disjoint prefixes in address order, and the number of nodes below them in all tables. */
export interface AddressPart {
  readonly blocks: readonly Block[];
  readonly nodeCount: number;
}

/** The number of prefixes of a part, approximately. More of them make parts of more equal weight. */
const PREFIXES_PER_PART = 16;

/**
 * Divides the address space into `count` consecutive parts with about the same number of nodes in all tables together.
 * Together the parts cover ::/0. Small tables leave parts empty.
 */
export function divideSpace(tables: readonly SlotSource[], count: number): AddressPart[] {
  const total = tables.reduce((sum, { nodeCount }) => sum + nodeCount, 0);
  const pieces: Piece[] = [];
  const division = { tables, pieces, most: count === 1 ? total : total / (count * PREFIXES_PER_PART) };
  cut(division, { address: newAddress(), length: 0 }, tables.map(rootOf));
  const parts = Array.from({ length: count }, () => ({ blocks: [] as Block[], nodeCount: 0 }));
  let before = 0;
  for (const { prefix, weight } of pieces) {
    const middle = before + weight / 2;
    const part = parts[Math.min(count - 1, Math.floor((count * middle) / Math.max(total, 1)))]!;
    part.blocks.push(prefix);
    part.nodeCount += weight;
    before += weight;
  }
  return parts;
}

/** A prefix and the number of nodes below it in all tables together. */
interface Piece {
  readonly prefix: Block;
  readonly weight: number;
}

interface Division {
  readonly tables: readonly SlotSource[];
  readonly pieces: Piece[];
  /** The greatest weight of a piece. */
  readonly most: number;
}

/** Adds a prefix, or its halves when it is too heavy, to the pieces. `points` are those of the tables at the prefix. */
function cut(division: Division, prefix: Block, points: readonly Point[]): void {
  const weight = points.reduce((sum, point) => sum + nodesBelow(point), 0);
  if (weight <= division.most || prefix.length === ADDRESS_BITS) {
    division.pieces.push({ prefix, weight });
    return;
  }
  for (const side of [0, 1] as const) {
    const sides = points.map((point, i) => sideOf(division.tables[i]!, point, side));
    cut(division, halfOf(prefix, side), sides);
  }
}
