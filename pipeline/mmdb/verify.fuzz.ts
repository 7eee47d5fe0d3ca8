import type { FuzzTarget } from '../fuzz/target.js';
import { mmdbSeeds } from './testing/bad-mmdbs.js';
import { MMDB_MUTATORS } from './testing/damage-mmdb.js';
import { CITY_SCHEMA } from './testing/record-schemas.js';
import { verifyMmdb } from './verify.js';

/** Verifies damaged files with and without a schema. The verifier never throws for the content of a file. */
export function openTarget(): FuzzTarget {
  return {
    seeds: mmdbSeeds(),
    mutators: MMDB_MUTATORS,
    run: ({ bytes }) => {
      const plain = verifyMmdb(bytes);
      const strict = verifyMmdb(bytes, { schema: CITY_SCHEMA });
      if (strict.problemCount < plain.problemCount) throw new Error('a schema makes problems disappear');
    },
  };
}
