import { ListClaimTable, type ListClaim } from '../../lists/list-claim.js';
import { encodeMmdb } from '../../mmdb/write.js';
import { parsePrefix } from '../../net/prefix.js';
import { PrefixTable } from '../../table/prefix-table.js';
import type { FlatTable } from '../../table/flat-table.js';
import type { MmdbDataset } from '../isp-dataset.js';
import type { IspInputs, IspTable, ListInput, Origin, OriginTable } from '../isp-inputs.js';
import { TODAY } from './listings.js';

/** Values by prefix; the most specific prefix wins. */
export type ByPrefix<T> = Readonly<Record<string, T>>;

/** Makes a list, with a copy of today by default. */
export function listOf(
  id: string,
  rows: ByPrefix<ListClaim>,
  about: Partial<Omit<ListInput, 'id' | 'table' | 'claims'>> = {},
): ListInput {
  const claims = new ListClaimTable();
  const table = tableOf(rows, (claim) => claims.intern(claim));
  return {
    id,
    table,
    claims: claims.claims,
    asns: new Map(),
    day: TODAY,
    today: TODAY,
    maxAgeDays: 30,
    ...about,
  };
}

/** Makes a table of origins as `asn.mmdb` has it, with one record per origin. */
export function originsOf(rows: ByPrefix<Origin>): OriginTable {
  const records = [...new Set(Object.values(rows))];
  return { table: tableOf(rows, (origin) => records.indexOf(origin)), records };
}

/** Makes the ISP names of a feed, with one record per network, as when places differ. */
export function ispsOf(feed: string, rows: ByPrefix<string | undefined>): IspTable {
  const isps: (string | undefined)[] = [];
  return { feed, table: tableOf(rows, (isp) => isps.push(isp) - 1), isps };
}

/** Makes complete inputs; parts that are left out are empty. */
export function inputsOf(inputs: Partial<IspInputs>): IspInputs {
  return { lists: [], origins: undefined, networkTypes: new Map(), feeds: [], ...inputs };
}

/** Encodes a dataset as an MMDB file. */
export function fileOf({ table, records, schema, databaseType, ...about }: MmdbDataset): Buffer {
  const { description, languages } = about;
  const header = { databaseType, description, languages, ipVersion: 6, buildEpoch: 1_728_000_000 } as const;
  return encodeMmdb({ table, records, schema, ...header });
}

function tableOf<T>(rows: ByPrefix<T>, idOf: (row: T) => number): FlatTable {
  const table = new PrefixTable();
  for (const [text, row] of Object.entries(rows)) {
    const { address, length } = parsePrefix(text)!;
    table.insert(address, length, idOf(row));
  }
  return table.flatten();
}
