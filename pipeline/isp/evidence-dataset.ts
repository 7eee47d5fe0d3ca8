import { FlatTable } from '../table/flat-table.js';
import { TupleMemo } from '../table/tuple-memo.js';
import { ABSENT, zip } from '../table/zip.js';
import { BUILT_IN_ALLOW_LIST, builtInAllowList } from './allowed-space.js';
import { INFERRED_DATA_CENTRES } from './as-space.js';
import { EVIDENCE_SCHEMA, evidenceOf, type Evidence, type ListingContext } from './evidence-record.js';
import type { MmdbDataset } from './isp-dataset.js';
import { isOutdated, type IspInputs, type ListInput, type OriginTable } from './isp-inputs.js';
import { ListingTable, listingsOfAs } from './listings.js';
import type { NetworkUse } from './network-use.js';
import { RENTED_HOSTING } from './proxy-type.js';

/** The inputs of `evidence.mmdb`. */
export interface EvidenceInputs extends Pick<IspInputs, 'lists' | 'origins'> {
  /** What the network of each AS is used for, as in `isp.mmdb`. */
  readonly uses?: ReadonlyMap<number, NetworkUse>;
}

/**
 * Builds `evidence.mmdb`: what each list says about a network, for audits. It includes lists that were too old for
 * `isp.mmdb`, and the built-in allow-list. Listings of a whole AS are under `<list> AS<number>` at every network that
 * the AS announces.
 */
export function evidenceDataset({
  lists,
  origins = NO_ORIGINS,
  uses = new Map(),
}: EvidenceInputs): MmdbDataset {
  const listings = new ListingTable([
    ...lists,
    { id: BUILT_IN_ALLOW_LIST, day: 0, today: 0, ...builtInAllowList() },
  ]);
  const listed = listedAses(lists, origins);
  const tuples = new TupleMemo(3);
  const tables = [listings.table, listed.table, rangesInAccess(lists, origins, uses)];
  const table = zip(tables, (ids) => (ids[0] === ABSENT && ids[1] === ABSENT ? ABSENT : tuples.number(ids)));
  const recordOf = evidenceRecords(lists, listings);
  return {
    table,
    records: {
      length: tuples.size,
      at: (id) => {
        const as = tuples.at(id, 1);
        return recordOf(tuples.at(id, 0), {
          asn: as === ABSENT ? undefined : listed.asns[as],
          isAccess: tuples.at(id, 2) !== ABSENT,
        });
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

/** The AS that announces a network, as far as evidence looks at it. */
type EvidenceAs = Pick<ListingContext, 'asn' | 'isAccess'>;

/** Returns a function that makes the record of a combination of listings, announced by an AS. */
function evidenceRecords(
  lists: readonly ListInput[],
  listings: ListingTable,
): (combination: number, announcer: EvidenceAs) => EvidenceRecord {
  const outdated = new Set(lists.filter(isOutdated).map(({ id }) => id));
  return (combination, { asn, isAccess }) => {
    const record: Record<string, Evidence> = {};
    for (const listing of listings.listingsOf(combination)) {
      record[listing.list] = evidenceOf(listing, { outdated, asn, isAccess });
    }
    if (asn === undefined) return record;
    for (const listing of listingsOfAs(asn, lists)) {
      record[`${listing.list} AS${asn}`] = evidenceOf(listing, { outdated, asn, isAccess, isOfAs: true });
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

/** Returns the ranges of inferred data centres in the networks of access carriers. All have record id 0. */
function rangesInAccess(
  lists: readonly ListInput[],
  { table, records }: OriginTable,
  uses: ReadonlyMap<number, NetworkUse>,
): FlatTable {
  const inferred = lists.find(({ id }) => id === INFERRED_DATA_CENTRES);
  if (inferred === undefined) return FlatTable.empty();
  return zip([table, inferred.table], ([origin, claim]) => {
    if (origin === ABSENT || claim === ABSENT || inferred.claims[claim!]!.isHosting !== true) return ABSENT;
    return uses.get(records[origin!]!.asn)?.isAccess === true ? 0 : ABSENT;
  });
}
