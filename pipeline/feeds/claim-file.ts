import { z } from 'zod';
import { readMmdbFile } from '../mmdb/read.js';
import { map, type ScalarType } from '../mmdb/schema.js';
import { writeMmdb, type WrittenMmdb } from '../mmdb/write.js';
import type { Claim } from './claim.js';
import type { ClaimedNetworks } from './claim-sink.js';
import type { FeedId } from './feed-id.js';

/** How a claim stands in a normalised table on disk: under its own names. */
const CLAIM_SCHEMA = map({
  country: 'string',
  region: 'string',
  regionName: 'string',
  cityId: 'uint32',
  cityName: 'string',
  latitude: 'double',
  longitude: 'double',
  radiusKm: 'uint16',
  timeZone: 'string',
  districtName: 'string',
  isp: 'string',
  organisation: 'string',
  asn: 'uint32',
  asName: 'string',
  asDomain: 'string',
  registeredCountry: 'string',
  accuracyClass: 'uint16',
  basis: 'string',
} satisfies Record<keyof Claim, ScalarType>);

const claimSchema: z.ZodType<Claim> = z.strictObject({
  country: z.string().exactOptional(),
  region: z.string().exactOptional(),
  regionName: z.string().exactOptional(),
  cityId: z.int().exactOptional(),
  cityName: z.string().exactOptional(),
  latitude: z.number().exactOptional(),
  longitude: z.number().exactOptional(),
  radiusKm: z.int().exactOptional(),
  timeZone: z.string().exactOptional(),
  districtName: z.string().exactOptional(),
  isp: z.string().exactOptional(),
  organisation: z.string().exactOptional(),
  asn: z.int().exactOptional(),
  asName: z.string().exactOptional(),
  asDomain: z.string().exactOptional(),
  registeredCountry: z.string().exactOptional(),
  accuracyClass: z.int().exactOptional(),
  basis: z.enum(['override', 'geofeed', 'registration']).exactOptional(),
});

/** Writes a feed's normalised table as an MMDB that any reader can look into. */
export function writeClaims(path: string, feed: FeedId, { table, claims }: ClaimedNetworks): WrittenMmdb {
  return writeMmdb(path, {
    table,
    records: claims,
    schema: CLAIM_SCHEMA,
    databaseType: `ipatlas-Claims-${feed}`,
    description: { en: `What the feed ${feed} says, normalised` },
    languages: ['en'],
    ipVersion: 6,
    // Part of a cache that is found by the digest of its inputs: no time belongs in it.
    buildEpoch: 0,
  });
}

/** Reads what `writeClaims` wrote. Throws MmdbError for a damaged file and ZodError for one of another kind. */
export function readClaims(path: string): ClaimedNetworks {
  const { table, records } = readMmdbFile(path);
  return { table, claims: records.map((record) => claimSchema.parse(record)) };
}
