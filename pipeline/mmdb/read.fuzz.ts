import { unlessDeclared, type FuzzTarget } from '../fuzz/target.js';
import { MmdbError } from './mmdb-error.js';
import { readMmdb } from './read.js';
import { mmdbSeeds } from './testing/bad-mmdbs.js';
import { MMDB_MUTATORS } from './testing/damage-mmdb.js';
import { verifyMmdb } from './verify.js';

/** Reads damaged files. A file that passes the verifier can be read, with the same number of records. */
export function openTarget(): FuzzTarget {
  return {
    seeds: mmdbSeeds(),
    mutators: MMDB_MUTATORS,
    run: ({ bytes }) => {
      const verified = verifyMmdb(bytes);
      const expected = verified.problemCount === 0 ? verified.counts.records : undefined;
      const read = recordsOf(bytes);
      if (expected !== undefined && read !== expected) {
        throw new Error(`verified with ${expected} records, read with ${read ?? 'an error'}`);
      }
    },
  };
}

function recordsOf(bytes: Buffer): number | undefined {
  try {
    return readMmdb(bytes).records.length;
  } catch (error) {
    unlessDeclared(error, [MmdbError]);
    return undefined;
  }
}
