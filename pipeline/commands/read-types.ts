import { join } from 'node:path';
import { z } from 'zod';
import { readMmdbFile } from '../mmdb/read.js';
import type { TypeTable } from '../release/compare-types.js';

/** The part of a record that a comparison looks at. */
const recordSchema = z.looseObject({ proxy: z.looseObject({ type: z.string().optional() }).optional() });

/** Loads the ISP dataset of a release folder for a comparison. Throws MmdbError for a damaged file. */
export function readTypes(dir: string): Promise<TypeTable> {
  const { table, records } = readMmdbFile(join(dir, 'isp.mmdb'));
  return Promise.resolve({
    table,
    records: records.map((record) => {
      const type = recordSchema.parse(record).proxy?.type;
      const key = JSON.stringify(record);
      return type === undefined ? { key } : { type, key };
    }),
  });
}
