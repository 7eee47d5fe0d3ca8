import type { Schema } from '../mmdb/schema.js';
import type { RecordList } from '../mmdb/write.js';
import { FlatTable } from '../table/flat-table.js';
import { relabel } from '../table/relabel.js';
import { zip } from '../table/zip.js';
import { BUILT_IN_ALLOW_LIST, builtInAllowList } from './allowed-space.js';
import { DEFAULT_POLICY } from './decide-listings.js';
import { FeedNameTable } from './feed-isp-names.js';
import { countExpired, countListings } from './isp-counters.js';
import { isOutdated, type IspInputs } from './isp-inputs.js';
import { ISP_DATABASE_TYPE, ISP_LANGUAGES, ISP_SCHEMA, type IspRecord } from './isp-record.js';
import { ListingTable } from './listings.js';
import { networkUses, type NetworkUse } from './network-use.js';
import { RecordMaker, type Combination } from './record-maker.js';

/** A dataset ready to be written, and the counters of its build. */
export interface MmdbDataset {
  readonly table: FlatTable;
  readonly records: RecordList;
  readonly schema: Schema;
  readonly databaseType: string;
  readonly description: Readonly<Record<string, string>>;
  readonly languages: readonly string[];
  /** For the manifest, by dotted names. */
  readonly counters: Readonly<Record<string, number>>;
}

/** The dataset of `isp.mmdb`. */
export interface IspDataset extends MmdbDataset {
  readonly records: IspRecords;
  /** What the network of each AS is used for, by AS number. */
  readonly uses: ReadonlyMap<number, NetworkUse>;
}

/** Records of `isp.mmdb` by id, each made on request. */
export interface IspRecords extends RecordList {
  at(id: number): IspRecord;
}

/**
 * Builds `isp.mmdb`: walks the lists, the origins and the ISP names of the feeds side by side, and makes one record per
 * distinct combination of them. Outdated lists are left out.
 */
export function ispDataset(inputs: IspInputs, policy = DEFAULT_POLICY): IspDataset {
  const lists = inputs.lists.filter((list) => !isOutdated(list));
  const listings = new ListingTable(
    [...lists, { id: BUILT_IN_ALLOW_LIST, day: 0, today: 0, ...builtInAllowList() }].sort(byId),
  );
  const feedNames = new FeedNameTable(inputs.feeds);
  const origins = inputs.origins ?? NO_ORIGINS;
  const uses = networkUses({ lists, origins, networkTypes: inputs.networkTypes });
  const maker = new RecordMaker({ lists, listings, feedNames, origins: origins.records, uses, policy });
  const decisionOf: number[] = [];
  const recordOf: number[] = [];
  const combined = zip([listings.table, origins.table, feedNames.table], (ids) => {
    const combination: Combination = [ids[0]!, ids[1]!, ids[2]!];
    const decision = maker.decisionOf(combination);
    recordOf.push(maker.recordOf(decision, combination));
    return decisionOf.push(decision) - 1;
  });
  const table = relabel(combined, recordOf);
  return {
    table,
    records: maker.records,
    uses,
    schema: ISP_SCHEMA,
    databaseType: ISP_DATABASE_TYPE,
    description: { en: 'ipatlas: who operates addresses, what hides behind them, and whose cloud they are' },
    languages: ISP_LANGUAGES,
    counters: {
      'isp.networks': table.networkCount(),
      ...countListings({ combined, decisionOf, maker, lists }),
      ...countExpired(inputs.lists),
    },
  };
}

const NO_ORIGINS = { table: FlatTable.empty(), records: [] };

function byId(a: { readonly id: string }, b: { readonly id: string }): number {
  return a.id < b.id ? -1 : 1;
}
