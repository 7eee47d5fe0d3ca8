import { join } from 'node:path';
import { readClaimTable, writeClaimTable } from '../input/claims/claim-table-file.js';
import type { WrittenMmdb } from '../mmdb/write.js';
import { readColumns, writeColumns, type ColumnSpec } from '../table/column-file.js';
import type { ListTable } from './collect-list.js';
import { LIST_CLAIM_FORMAT, type ListClaim } from './list-claim.js';

const TABLE = 'table.mmdb';
const ASNS = 'asns.columns';
const ASN_COLUMNS = { asns: 'u32', claims: 'text' } as const satisfies ColumnSpec;

/** Writes a list's normalised table as an MMDB file, and its claims about autonomous systems next to it. */
export function writeList(dir: string, id: string, { table, claims, asns }: ListTable): WrittenMmdb {
  const sorted = [...asns].sort(([a], [b]) => a - b);
  writeColumns(join(dir, ASNS), ASN_COLUMNS, {
    asns: Uint32Array.from(sorted, ([asn]) => asn),
    claims: sorted.map(([, claim]) => JSON.stringify(claim)),
  });
  return writeClaimTable(join(dir, TABLE), id, { table, claims }, LIST_CLAIM_FORMAT);
}

/** Reads a folder of `writeList`. Throws MmdbError or ColumnFileError for damaged files, ZodError for other claims. */
export function readList(dir: string): ListTable {
  const networks = readClaimTable(join(dir, TABLE), LIST_CLAIM_FORMAT);
  const columns = readColumns(join(dir, ASNS), ASN_COLUMNS);
  const asns = new Map<number, ListClaim>();
  columns.claims.forEach((claim, i) =>
    asns.set(columns.asns[i]!, LIST_CLAIM_FORMAT.parse(JSON.parse(claim))),
  );
  return { ...networks, asns };
}
