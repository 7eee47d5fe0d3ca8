import { inserting } from '../fuzz/mutate.js';
import { Random, seedOf } from '../fuzz/random.js';
import type { FuzzTarget } from '../fuzz/target.js';
import { DUMP, read } from './testing/small-dump.js';

const HEADERS = [
  [0, 13, 0, 2],
  [0, 12, 0, 1],
  [0, 13, 0, 6],
  [0xff, 0xff, 0xff, 0xff],
  [0, 0, 0, 0],
  [0x80, 0x0e, 0, 255],
  [2, 255],
];

/** Reads damaged routing tables, in pieces of any size. The size of the pieces makes no difference. */
export function openTarget(): FuzzTarget {
  return {
    seeds: [{ name: 'dump', bytes: DUMP }],
    mutators: [inserting(HEADERS.map((bytes) => Buffer.from(bytes)))],
    run: ({ bytes }) => {
      const random = new Random(seedOf(bytes.length, bytes.toString('latin1', 0, 64), 0));
      const sizes = Array.from({ length: 4 }, () => 1 + random.below(random.once(4) ? 8 : 4_096));
      const [whole, inPieces] = [read(bytes), read(bytes, sizes)].map(describe);
      if (whole !== inPieces)
        throw new Error(`pieces of ${sizes.join(', ')} bytes: ${inPieces}, not ${whole}`);
    },
  };
}

function describe(result: ReturnType<typeof read>): string {
  return result instanceof Error ? result.message : JSON.stringify([result.lines, result.tally]);
}
