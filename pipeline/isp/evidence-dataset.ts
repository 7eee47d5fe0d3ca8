import { FlatTable } from '../table/flat-table.js';
import { TupleMemo } from '../table/tuple-memo.js';
import { ABSENT, zip } from '../table/zip.js';
import { BUILT_IN_ALLOW_LIST, builtInAllowList } from './allowed-space.js';
import { EVIDENCE_SCHEMA, evidenceOf, type Evidence } from './evidence-record.js';
import type { MmdbDataset } from './isp-dataset.js';
import { isOutdated, type IspInputs, type ListInput, type OriginTable } from './isp-inputs.js';
import { ListingTable, listingsOfAs } from './listings.js';
import { RENTED_HOSTING } from './proxy-type.js';

/** The inputs of `evidence.mmdb`. */
export type EvidenceInputs = Pick<IspInputs, 'lists' | 'origins'>;

/**
 * Builds `evidence.mmdb`: what each list says about a network, for audits. It includes lists that were too old for
 * `isp.mmdb`, and the built-in allow-list. Listings of a whole AS are under `<list> AS<number>` at every network that
 * the AS announces.
 */
export function evidenceDataset({ lists, origins = NO_ORIGINS }: EvidenceInputs): MmdbDataset {
  const listings = new ListingTable([
    ...lists,
    { id: BUILT_IN_ALLOW_LIST, day: 0, today: 0, ...builtInAllowList() },
  ]);
  const listed = listedAses(lists, origins);
  const pairs = new TupleMemo(2);
  const table = zip([listings.table, listed.table], (ids) => pairs.number(ids));
  const recordOf = evidenceRecords(lists, listings);
  return {
    table,
    records: {
      length: pairs.size,
      at: (id) => {
        const as = pairs.at(id, 1);
        return recordOf(pairs.at(id, 0), as === ABSENT ? undefined : listed.asns[as]);
      },
    },
    schema: EVIDENCE_SCHEMA,
    databaseType: 'ipatlas-Evidence',
    description: { en: 'ipatlas: what each list of proxies, threats and clouds says' },
    languages: [],
    counters: { 'evidence.networks': table.networkCount() },
  };
}

const NO_ORIGINS: OriginTable = { table: FlatTable.empty(), records: [] };

type EvidenceRecord = Readonly<Record<string, Evidence>>;

/** Returns a function that makes the record of a combination of listings, announced by an AS. */
function evidenceRecords(
  lists: readonly ListInput[],
  listings: ListingTable,
): (combination: number, asn: number | undefined) => EvidenceRecord {
  const outdated = new Set(lists.filter(isOutdated).map(({ id }) => id));
  return (combination, asn) => {
    const record: Record<string, Evidence> = {};
    for (const listing of listings.listingsOf(combination)) {
      record[listing.list] = evidenceOf(listing, { outdated, asn });
    }
    if (asn === undefined) return record;
    for (const listing of listingsOfAs(asn, lists)) {
      record[`${listing.list} AS${asn}`] = evidenceOf(listing, { outdated, asn, isOfAs: true });
    }
    return record;
  };
}

/**
 * Space announced by ASes that have listings themselves or change the meaning of a listing. Record ids index `asns`.
 */
function listedAses(
  lists: readonly ListInput[],
  { table, records }: OriginTable,
): { readonly table: FlatTable; readonly asns: readonly number[] } {
  const asns: number[] = [];
  const places = new Map<number, number>();
  const ids = records.map(({ asn }) => {
    if (!RENTED_HOSTING.has(asn) && listingsOfAs(asn, lists).length === 0) return ABSENT;
    const place = places.get(asn) ?? asns.push(asn) - 1;
    places.set(asn, place);
    return place;
  });
  return { table: zip([table], ([id]) => ids[id!]!), asns };
}
