import { ListClaimTable, type ListClaim } from '../../lists/list-claim.js';
import { encodeMmdb } from '../../mmdb/write.js';
import { parsePrefix } from '../../net/prefix.js';
import { PrefixTable } from '../../table/prefix-table.js';
import type { FlatTable } from '../../table/flat-table.js';
import type { IspTable, ListInput, Origin, OriginTable, ServiceDataset, ServiceParts } from '../service.js';
import { TODAY } from './hits.js';

/** Something by the prefix it is said about, the more specific one winning. */
export type ByPrefix<T> = Readonly<Record<string, T>>;

/** A list with a copy of today unless said otherwise. */
export function listOf(
  id: string,
  rows: ByPrefix<ListClaim>,
  about: Partial<Omit<ListInput, 'id' | 'table' | 'claims'>> = {},
): ListInput {
  const claims = new ListClaimTable();
  const table = tableOf(rows, (claim) => claims.intern(claim));
  return {
    ...{ id, table, claims: claims.claims, asns: new Map() },
    ...{ day: TODAY, today: TODAY, maxAgeDays: 30, ...about },
  };
}

/** Origins as `asn.mmdb` has them: one record for each. */
export function originsOf(rows: ByPrefix<Origin>): OriginTable {
  const records = [...new Set(Object.values(rows))];
  return { table: tableOf(rows, (origin) => records.indexOf(origin)), records };
}

/** ISPs as a feed spells them; a record for each network, as where places differ. */
export function ispsOf(feed: string, rows: ByPrefix<string | undefined>): IspTable {
  const isps: (string | undefined)[] = [];
  return { feed, table: tableOf(rows, (isp) => isps.push(isp) - 1), isps };
}

/** All that a merge is made from; what is left out says nothing. */
export function partsOf(parts: Partial<ServiceParts>): ServiceParts {
  return { lists: [], origins: undefined, networkTypes: new Map(), isps: [], ...parts };
}

/** The file of a dataset. */
export function fileOf({ table, records, schema, databaseType, ...about }: ServiceDataset): Buffer {
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
