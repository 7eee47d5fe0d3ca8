import { readColumns, writeColumns } from '../table/column-file.js';
import type { MergedPart } from './merge-part.js';

/** The columns of a file. `blocks` has six integers for each subtree: four words, the length, the slot. */
const SPEC = {
  blocks: 'u32',
  nodeCounts: 'u32',
  slots: 'u32',
  tuples: 'u32',
  texts: 'text',
  decisions: 'u32',
  agreement: 'text',
} as const;
const BLOCK_WORDS = 6;

/** Writes one edition of a part. */
export function writePart(path: string, { subtrees, locations, decisions, agreement }: MergedPart): void {
  const blocks = subtrees.flatMap(({ block, slot }) => [...block.address, block.length, slot]);
  const nodeCounts = subtrees.map(({ nodeCount }) => nodeCount);
  const slots = new Uint32Array(2 * nodeCounts.reduce((sum, nodeCount) => sum + nodeCount, 0));
  let at = 0;
  for (const subtree of subtrees) {
    slots.set(subtree.slots.subarray(0, 2 * subtree.nodeCount), at);
    at += 2 * subtree.nodeCount;
  }
  const { buffer, byteOffset, length } = locations.tuples;
  writeColumns(path, SPEC, {
    blocks: Uint32Array.from(blocks),
    nodeCounts: Uint32Array.from(nodeCounts),
    slots,
    tuples: new Uint32Array(buffer, byteOffset, length),
    texts: locations.texts,
    decisions: Uint32Array.of(decisions),
    agreement: [JSON.stringify(agreement)],
  });
}

/** Reads a file of `writePart`. Throws ColumnFileError. */
export function readPart(path: string): MergedPart {
  const { blocks, nodeCounts, slots, tuples, texts, decisions, agreement } = readColumns(path, SPEC);
  let at = 0;
  const subtrees = Array.from(nodeCounts, (nodeCount, i) => {
    const [address, [length, slot]] = blockAt(blocks, i);
    const own = slots.subarray(at, (at += 2 * nodeCount));
    return { block: { address, length: length! }, slot: slot!, slots: own, nodeCount };
  });
  const { buffer, byteOffset, length } = tuples;
  return {
    subtrees,
    locations: { tuples: new Int32Array(buffer, byteOffset, length), texts },
    decisions: decisions[0]!,
    agreement: JSON.parse(agreement[0]!) as MergedPart['agreement'],
  };
}

function blockAt(blocks: Uint32Array, index: number): [Uint32Array, Uint32Array] {
  const at = index * BLOCK_WORDS;
  return [blocks.subarray(at, at + 4), blocks.subarray(at + 4, at + BLOCK_WORDS)];
}
