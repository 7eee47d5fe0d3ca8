import type { HostingNetwork } from '../cloud/hosting-networks.js';
import type { ListClaim } from '../lists/list-claim.js';
import { FlatTable } from '../table/flat-table.js';
import { zip } from '../table/zip.js';
import { Decisions, type Decide } from './decisions.js';
import { FedNamesTable } from './fed-names.js';
import { HitTable, type HitSource } from './hit-table.js';
import { ISP_DATABASE_TYPE, ISP_LANGUAGES, ISP_SCHEMA } from './isp-record.js';
import { IspRows } from './isp-rows.js';
import { isOutdated } from './list-age.js';
import { Operators } from './operators.js';
import type { ServiceDataset, ServiceParts } from './service.js';
import { countDecisions, countExpired } from './service-counters.js';

/** How hits become verdicts, and what no list may speak about. */
export interface JoinPolicy {
  readonly decide: Decide;
  /** Claims that allow, under the id by which the policy knows them. */
  readonly allowed: {
    readonly id: string;
    readonly table: FlatTable;
    readonly claims: readonly ListClaim[];
  };
  /** Clouds that publish no list. */
  readonly hosting: readonly HostingNetwork[];
}

/**
 * Joins all lists into one table, all feeds of ISPs into another, and both with the origins; decides once per distinct
 * combination. Lists that are too old are left out.
 */
export function joinService(parts: ServiceParts, { decide, allowed, hosting }: JoinPolicy): ServiceDataset {
  const lists = parts.lists.filter((list) => !isOutdated(list));
  const allowList: HitSource = { ...allowed, day: 0, today: 0 };
  const hits = new HitTable([...lists, allowList]);
  const fed = new FedNamesTable(parts.isps);
  const { table: originTable, records: origins } = parts.origins ?? NO_ORIGINS;
  const rows = new IspRows();
  const { networkTypes } = parts;
  const decisions = new Decisions({ hits, lists, origins, networkTypes, hosting }, decide, rows);
  const operators = new Operators(origins, fed, rows);
  const decisionOf: number[] = [];
  const recordOf: number[] = [];
  const joined = zip([hits.table, originTable, fed.table], ([combination, origin, names]) => {
    const decision = decisions.numberOf(combination!, origin!);
    const operator = operators.rowOf(decisions.listedOf(decision), origin!, names!);
    recordOf.push(rows.intern(decisions.verdictOf(decision), operator));
    return decisionOf.push(decision) - 1;
  });
  const table = zip([joined], ([tuple]) => recordOf[tuple!]!);
  return {
    table,
    records: rows.records,
    schema: ISP_SCHEMA,
    databaseType: ISP_DATABASE_TYPE,
    description: { en: 'ipatlas: who operates addresses, what hides behind them, and whose cloud they are' },
    languages: ISP_LANGUAGES,
    counters: {
      'isp.networks': table.networkCount(),
      ...countDecisions({ joined, decisionOf, decisions, rows, lists }),
      ...countExpired(parts.lists),
    },
  };
}

const NO_ORIGINS = { table: FlatTable.empty(), records: [] };
