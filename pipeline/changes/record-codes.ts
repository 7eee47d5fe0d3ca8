import { isPart, type SchemaNode } from '../mmdb/schema-node.js';

/**
 * How a value of a new record is written. SAME: as in the record to compare with. REMOVED: the field is absent. A text
 * or part is one of the old file (OLD), one that the delta has defined before (DEFINED), or defined here: NEW in full,
 * CHANGED as difference from the part at the same place of the record to compare with.
 */
export const VALUE = {
  SAME: 0,
  REMOVED: 1,
  OLD: 2,
  DEFINED: 3,
  NEW: 4,
  CHANGED: 5,
  SCALAR: 6,
} as const;

/** The position of an absent value. */
export const ABSENT = -1;

/** Returns the number of words of the atoms at `words[at]`. */
export function atomCount(words: Uint32Array, at: number, node: SchemaNode): number {
  return node.kind === 'string' || isPart(node) ? 1 : 1 + ((words[at]! + 3) >>> 2);
}

/**
 * Returns the positions of the values of a part: by field for a map, by index for an array, in the order of entries for
 * a map with arbitrary keys, whose keys are one word before. ABSENT for fields without a value.
 */
export function valuesOf(words: Uint32Array, part: number, node: SchemaNode): Int32Array {
  const count = words[part + 1]!;
  const positions = new Int32Array(node.kind === 'map' ? node.names.length : count).fill(ABSENT);
  let at = part + 2;
  for (let i = 0; i < count; i++) {
    const field = node.kind === 'map' ? words[at]! : 0;
    if (node.kind !== 'array') at++;
    positions[node.kind === 'map' ? field : i] = at;
    at += atomCount(words, at, node.values[field]!);
  }
  return positions;
}

/** Returns whether two values of one schema are equal. ABSENT equals ABSENT only. */
export function sameAtoms(words: Uint32Array, a: number, b: number, node: SchemaNode): boolean {
  if (a === ABSENT || b === ABSENT) return a === b;
  const count = atomCount(words, a, node);
  for (let i = 0; i < count; i++) if (words[a + i] !== words[b + i]) return false;
  return true;
}
