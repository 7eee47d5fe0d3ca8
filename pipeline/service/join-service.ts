import type { HostingNetwork } from '../cloud/hosting-networks.js';
import type { ListClaim } from '../lists/list-claim.js';
import { FlatTable } from '../table/flat-table.js';
import { relabel } from '../table/relabel.js';
import { zip } from '../table/zip.js';
import { Decisions, type Decide } from './decisions.js';
import { FedNamesTable } from './fed-names.js';
import { HitCases } from './hit-cases.js';
import { HitTable, type HitSource } from './hit-table.js';
import { ISP_DATABASE_TYPE, ISP_LANGUAGES, ISP_SCHEMA } from './isp-record.js';
import { IspRows } from './isp-rows.js';
import { isOutdated } from './list-age.js';
import { NamedHits, type NamesOf } from './named-hits.js';
import { Operators } from './operators.js';
import { OriginClasses } from './origin-classes.js';
import { ProxyHolders } from './proxy-holders.js';
import type { IspDataset, ServiceParts, Surroundings } from './service.js';
import { countDecisions, countExpired } from './merge-counters.js';

/** How hits become verdicts, and what no list may speak about. */
export interface JoinPolicy {
  readonly decide: Decide;
  /** What of the surroundings and of a claim decisions look at: where that is the same, they are. */
  readonly relevantSurroundings: (surroundings: Surroundings) => Surroundings;
  readonly relevantClaim: (claim: ListClaim) => ListClaim;
  readonly namesOf: NamesOf;
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
export function joinService(parts: ServiceParts, policy: JoinPolicy): IspDataset {
  const lists = parts.lists.filter((list) => !isOutdated(list));
  const allowList: HitSource = { ...policy.allowed, day: 0, today: 0 };
  const hits = new HitTable([...lists, allowList].sort((a, b) => (a.id < b.id ? -1 : 1)));
  const fed = new FedNamesTable(parts.isps);
  const { networkTypes, origins: { table: originTable, records: origins } = NO_ORIGINS } = parts;
  const { decide, relevantSurroundings: relevant, relevantClaim, hosting } = policy;
  const rows = new IspRows();
  const classes = new OriginClasses({ origins, lists, networkTypes, hosting, relevant });
  const cases = new HitCases(hits, relevantClaim);
  const decisions = new Decisions({ hits, cases, classes, decide, rows });
  const named = new NamedHits(hits, classes, policy.namesOf, rows.texts);
  const operators = new Operators(origins, fed, rows);
  const holders = new ProxyHolders(origins, { decisions, named, texts: rows.texts });
  const decisionOf: number[] = [];
  const recordOf: number[] = [];
  const joined = zip([hits.table, originTable, fed.table], (ids) => {
    const origin = ids[1]!;
    const originClass = classes.classOf(origin);
    const decision = decisions.numberOf(ids[0]!, originClass);
    const name = named.rowOf(ids[0]!, originClass);
    const operator = operators.rowOf(named.ispOf(name), named.carrierOf(name), origin, ids[2]!);
    const proxyIsp = holders.ispOf(decision, name, origin);
    const proxyDomain = holders.domainOf(decision, name, origin);
    recordOf.push(rows.intern(decisions.verdictOf(decision), operator, proxyIsp, proxyDomain));
    return decisionOf.push(decision) - 1;
  });
  const table = relabel(joined, recordOf);
  return {
    table,
    records: rows.recordList(),
    schema: ISP_SCHEMA,
    databaseType: ISP_DATABASE_TYPE,
    description: { en: 'ipatlas: who operates addresses, what hides behind them, and whose cloud they are' },
    languages: ISP_LANGUAGES,
    counters: {
      'isp.networks': table.networkCount(),
      ...countDecisions({ joined, decisionOf, decisions, lists }),
      ...countExpired(parts.lists),
    },
  };
}

const NO_ORIGINS = { table: FlatTable.empty(), records: [] };
