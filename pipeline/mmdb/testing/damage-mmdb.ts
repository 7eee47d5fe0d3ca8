import type { Mutator } from '../../fuzz/mutate.js';
import type { Random } from '../../fuzz/random.js';
import { METADATA_MARKER } from '../encode-metadata.js';
import * as hand from './hand-made.js';

/** Changes of the parts of an MMDB file: metadata values, nodes, and values of the data section. */
export const MMDB_MUTATORS: readonly Mutator[] = [changeMetadata, changeNode, changeData];

const KEYS = [
  'node_count',
  'record_size',
  'ip_version',
  'build_epoch',
  'database_type',
  'languages',
  'description',
  'binary_format_major_version',
  'binary_format_minor_version',
];
const NOTABLE = [0, 1, 2, 4, 6, 24, 28, 32, 96, 97, 128, 255, 65_535, 0xffffff, 0x7fffffff, 0xffffffff];

/** Inserts another value after a key of the metadata, over the old value or before it. */
function changeMetadata(bytes: Buffer, random: Random): Buffer {
  const key = random.pick(KEYS);
  const at = bytes.lastIndexOf(hand.utf8(key));
  if (at < 0) return bytes;
  const value = at + hand.utf8(key).length;
  const rest = bytes.subarray(value + random.below(4));
  return Buffer.concat([bytes.subarray(0, value), anyValue(random), rest]);
}

/** Writes a record into the search tree, if the first bytes are one. */
function changeNode(bytes: Buffer, random: Random): Buffer {
  const end = Math.max(0, bytes.lastIndexOf(METADATA_MARKER));
  const width = random.pick([3, 4]);
  if (end < width) return bytes;
  const mutant = Buffer.from(bytes);
  const at = random.below(Math.max(1, Math.floor(end / width) - 1)) * width;
  const value = random.once(2) ? random.pick(NOTABLE) : random.below(end);
  mutant.writeUIntBE(value % 2 ** (8 * width), Math.min(at, end - width), width);
  return mutant;
}

/** Writes a value somewhere before the metadata. */
function changeData(bytes: Buffer, random: Random): Buffer {
  const end = Math.max(0, bytes.lastIndexOf(METADATA_MARKER));
  const mutant = Buffer.from(bytes);
  anyValue(random, end).copy(mutant, random.below(end + 1));
  return mutant;
}

function anyValue(random: Random, end = 0): Buffer {
  const number = random.pick(NOTABLE);
  const values = [
    () => hand.uint16(number),
    () => hand.uint32(number),
    () => hand.uint64(2n ** BigInt(random.below(65)) - 1n),
    () => hand.boolean(random.once(2)),
    () => hand.double(random.pick([0, -0, NaN, Infinity, 1e308])),
    () => hand.utf8('x'.repeat(random.below(70))),
    () => hand.map(['en', hand.uint16(1)]),
    () => hand.array(hand.uint16(1)),
    () => hand.pointer(random.once(2) ? number : random.below(end + 100)),
    () => hand.control(random.below(20), random.pick([0, 1, 28, 29, 284, 285, 65_820, 65_821, 16_000_000])),
    () => hand.nested(random.below(600), hand.uint16(1)),
  ];
  return random.pick(values)();
}
