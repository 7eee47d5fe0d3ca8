import { join } from 'node:path';
import { z } from 'zod';
import { readMmdbFile } from '../mmdb/read.js';
import type { GeoTable } from '../release/compare-geo.js';

/** The part of a record that a comparison looks at. */
const recordSchema = z.looseObject({
  country: z.looseObject({ iso_code: z.string().optional() }).optional(),
});

/** Loads the geolocation dataset of a release folder for a comparison. Throws MmdbError for a damaged file. */
export function readGeo(dir: string): Promise<GeoTable> {
  const { table, records } = readMmdbFile(join(dir, 'geo.mmdb'));
  return Promise.resolve({
    table,
    records: records.map((record) => {
      const country = recordSchema.parse(record).country?.iso_code;
      const key = JSON.stringify(record);
      return country === undefined ? { key } : { country, key };
    }),
  });
}
