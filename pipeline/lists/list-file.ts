import { join } from 'node:path';
import { readMmdbFile } from '../mmdb/read.js';
import { writeMmdb, type WrittenMmdb } from '../mmdb/write.js';
import { readColumns, writeColumns, type ColumnSpec } from '../table/column-file.js';
import { checkedClaims } from './checked-claims.js';
import type { ListTable } from './collect-list.js';
import { LIST_CLAIM_SCHEMA, listClaimSchema, type ListClaim } from './list-claim.js';

const TABLE = 'table.mmdb';
const ASNS = 'asns.columns';
const ASN_COLUMNS = { asns: 'u32', claims: 'text' } as const satisfies ColumnSpec;

/** Writes a list's normalised table as an MMDB that any reader can look into, and its autonomous systems beside it. */
export function writeList(dir: string, id: string, { table, claims, asns }: ListTable): WrittenMmdb {
  const sorted = [...asns].sort(([a], [b]) => a - b);
  writeColumns(join(dir, ASNS), ASN_COLUMNS, {
    asns: Uint32Array.from(sorted, ([asn]) => asn),
    claims: sorted.map(([, claim]) => JSON.stringify(claim)),
  });
  return writeMmdb(join(dir, TABLE), {
    table,
    records: claims,
    schema: LIST_CLAIM_SCHEMA,
    databaseType: `ipatlas-List-${id}`,
    description: { en: `What the list ${id} says, normalised` },
    languages: ['en'],
    ipVersion: 6,
    // Part of a cache that is found by the digest of its inputs: no time belongs in it.
    buildEpoch: 0,
  });
}

/** Reads what `writeList` wrote. Throws MmdbError or ColumnFileError for damaged files, ZodError for others. */
export function readList(dir: string): ListTable {
  const { table, records } = readMmdbFile(join(dir, TABLE));
  const columns = readColumns(join(dir, ASNS), ASN_COLUMNS);
  const asns = new Map<number, ListClaim>();
  columns.claims.forEach((claim, i) => asns.set(columns.asns[i]!, listClaimSchema.parse(JSON.parse(claim))));
  return { table, claims: checkedClaims(records), asns };
}
