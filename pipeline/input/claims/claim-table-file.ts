import { readMmdbFile } from '../../mmdb/read.js';
import { writeMmdb, type WrittenMmdb } from '../../mmdb/write.js';
import type { ClaimFormat } from './claim-format.js';
import type { ClaimedNetworks } from './layered-claims.js';

/** Writes the normalised table of the feed or list `id` as an MMDB file that any reader can open. */
export function writeClaimTable<C extends object>(
  path: string,
  id: string,
  { table, claims }: ClaimedNetworks<C>,
  { source, mmdbSchema }: ClaimFormat<C>,
): WrittenMmdb {
  return writeMmdb(path, {
    table,
    records: claims,
    schema: mmdbSchema,
    databaseType: `${source.databaseType}-${id}`,
    description: { en: `What the ${source.kind} ${id} says, normalised` },
    languages: ['en'],
    ipVersion: 6,
    // No time: the file is part of a cache whose key is a digest of its inputs.
    buildEpoch: 0,
  });
}

/** Reads a file of `writeClaimTable`. Throws MmdbError for a damaged file, ZodError for claims of another kind. */
export function readClaimTable<C extends object>(path: string, format: ClaimFormat<C>): ClaimedNetworks<C> {
  const { table, records } = readMmdbFile(path);
  return { table, claims: format.parseAll(records) };
}
