import type { Random } from './random.js';

/** Changes a copy of some bytes. Must not change its argument. */
export type Mutator = (bytes: Buffer, random: Random) => Buffer;

/** The mutators that know no format. */
export const BYTE_MUTATORS: readonly Mutator[] = [
  flipBit,
  setByte,
  setNumber,
  cutEnd,
  removeSlice,
  repeatSlice,
  insertBytes,
  moveSlice,
];

/** Returns a mutator that inserts one of the texts, or replaces bytes by it. */
export function inserting(texts: readonly (string | Buffer)[]): Mutator {
  const pieces = texts.map((text) => Buffer.from(text as string));
  return (bytes, random) => {
    const at = random.below(bytes.length + 1);
    const piece = random.pick(pieces);
    const after = random.once(2) ? at : Math.min(bytes.length, at + piece.length);
    return Buffer.concat([bytes.subarray(0, at), piece, bytes.subarray(after)]);
  };
}

/** Applies 1 to 6 mutators, mostly few. */
export function mutate(bytes: Buffer, mutators: readonly Mutator[], random: Random): Buffer {
  let mutant = Buffer.from(bytes);
  const changes = 1 + Math.min(random.below(6), random.below(6));
  for (let change = 0; change < changes; change++) {
    mutant = Buffer.from(random.pick(mutators)(mutant, random)).subarray(0, MAX_INPUT_BYTES);
  }
  return mutant;
}

/** The maximum size of an input: repeats must not grow it without limit. */
const MAX_INPUT_BYTES = 1_000_000;
const MAX_SLICE_BYTES = 64;
const NOTABLE_BYTES = [0, 1, 2, 9, 10, 13, 32, 34, 44, 58, 91, 93, 123, 125, 127, 128, 192, 224, 254, 255];
const NOTABLE_NUMBERS = [0, 1, 0x7f, 0x80, 0xff, 0x7fff, 0x8000, 0xffff, 0x7fffffff, 0x80000000, 0xffffffff];

function flipBit(bytes: Buffer, random: Random): Buffer {
  if (bytes.length === 0) return bytes;
  const mutant = Buffer.from(bytes);
  const at = random.below(bytes.length);
  mutant[at] = mutant[at]! ^ (1 << random.below(8));
  return mutant;
}

function setByte(bytes: Buffer, random: Random): Buffer {
  if (bytes.length === 0) return bytes;
  const mutant = Buffer.from(bytes);
  mutant[random.below(bytes.length)] = random.once(2) ? random.below(256) : random.pick(NOTABLE_BYTES);
  return mutant;
}

/** Writes a number of 2 or 4 bytes, in either order. */
function setNumber(bytes: Buffer, random: Random): Buffer {
  const width = random.pick([2, 4]);
  if (bytes.length < width) return bytes;
  const mutant = Buffer.from(bytes);
  const value = random.pick(NOTABLE_NUMBERS) % 2 ** (8 * width);
  const at = random.below(bytes.length - width + 1);
  if (random.once(2)) mutant.writeUIntBE(value, at, width);
  else mutant.writeUIntLE(value, at, width);
  return mutant;
}

function cutEnd(bytes: Buffer, random: Random): Buffer {
  return bytes.subarray(0, random.below(bytes.length + 1));
}

function removeSlice(bytes: Buffer, random: Random): Buffer {
  const { from, to } = sliceOf(bytes, random);
  return Buffer.concat([bytes.subarray(0, from), bytes.subarray(to)]);
}

/** Repeats a slice 2 to 17 times, or rarely up to 4,000 times. */
function repeatSlice(bytes: Buffer, random: Random): Buffer {
  const { from, to } = sliceOf(bytes, random);
  const slice = bytes.subarray(from, to);
  const times = 1 + random.below(random.once(50) ? 4_000 : 16);
  return Buffer.concat([bytes.subarray(0, to), ...Array<Buffer>(times).fill(slice), bytes.subarray(to)]);
}

function insertBytes(bytes: Buffer, random: Random): Buffer {
  const at = random.below(bytes.length + 1);
  const isRun = random.once(2);
  const filler = random.below(256);
  const inserted = Buffer.alloc(1 + random.below(MAX_SLICE_BYTES), filler);
  if (!isRun) for (let i = 0; i < inserted.length; i++) inserted[i] = random.below(256);
  return Buffer.concat([bytes.subarray(0, at), inserted, bytes.subarray(at)]);
}

/** Copies a slice over bytes somewhere else. */
function moveSlice(bytes: Buffer, random: Random): Buffer {
  const { from, to } = sliceOf(bytes, random);
  const mutant = Buffer.from(bytes);
  mutant.copy(mutant, random.below(bytes.length + 1), from, to);
  return mutant;
}

function sliceOf(bytes: Buffer, random: Random): { readonly from: number; readonly to: number } {
  const from = random.below(bytes.length + 1);
  return { from, to: Math.min(bytes.length, from + 1 + random.below(MAX_SLICE_BYTES)) };
}
