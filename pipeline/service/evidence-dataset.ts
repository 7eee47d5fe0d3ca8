import { hostingProviderOf } from '../cloud/hosting-networks.js';
import { FlatTable } from '../table/flat-table.js';
import { TupleMemo } from '../table/tuple-memo.js';
import { ABSENT, zip } from '../table/zip.js';
import { BUILT_IN_ALLOW_LIST, builtInAllowList } from './allowed-space.js';
import { RENTED_HOSTING } from './believed-type.js';
import { HOSTING_NETWORKS_ID } from './origin-classes.js';
import { EVIDENCE_SCHEMA, evidenceOf, type Evidence } from './evidence-record.js';
import { hitOf, HitTable } from './hit-table.js';
import { isOutdated } from './list-age.js';
import type { Hit, ListInput, OriginTable, ServiceDataset, ServiceParts } from './service.js';

/** What evidence is made from. */
export type EvidenceParts = Pick<ServiceParts, 'lists' | 'origins'>;

/**
 * `evidence.mmdb`: which lists said what, for audit, those included that were too old to count. Words on a whole AS
 * stand at all that it announces, under `<list> AS<number>`; what comes with the project, such as the allow-list, is
 * told like the word of a list.
 */
export function evidenceDataset({ lists, origins = NO_ORIGINS }: EvidenceParts): ServiceDataset {
  const hits = new HitTable([...lists, { ...BUILT_IN, ...builtInAllowList() }]);
  const outdated = new Set(lists.filter(isOutdated).map(({ id }) => id));
  const networks = networksSpokenOf(lists, origins);
  const pairs = new TupleMemo(2);
  const table = zip([hits.table, networks.table], (ids) => pairs.number(ids));
  return {
    table,
    records: {
      length: pairs.size,
      at: (id) => {
        const [combination, network] = pairs.tuples.subarray(2 * id);
        const asn = network === ABSENT ? undefined : networks.asns[network!];
        const said = hits.hitsOf(combination!).map((hit) => [hit.list, evidenceOf(hit, { outdated, asn })]);
        const ofAs = asn === undefined ? [] : wordsOnAs(asn, lists);
        const saidOfAs = ofAs.map((hit) => [
          `${hit.list} AS${asn}`,
          evidenceOf(hit, { outdated, asn, isOnAs: true }),
        ]);
        return Object.fromEntries([...said, ...saidOfAs]) as Readonly<Record<string, Evidence>>;
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

/** What stands beside the lists has no copy, and so no day. */
const BUILT_IN = { id: BUILT_IN_ALLOW_LIST, day: 0, today: 0 };

/** Space that is announced by an AS of which something is said, or by which a word is read otherwise. */
function networksSpokenOf(
  lists: readonly ListInput[],
  { table, records }: OriginTable,
): { readonly table: FlatTable; readonly asns: readonly number[] } {
  const asns: number[] = [];
  const places = new Map<number, number>();
  const isSpokenOf = (asn: number): boolean => RENTED_HOSTING.has(asn) || wordsOnAs(asn, lists).length > 0;
  const ids = records.map(({ asn }) => {
    if (!isSpokenOf(asn)) return ABSENT;
    const place = places.get(asn) ?? asns.push(asn) - 1;
    places.set(asn, place);
    return place;
  });
  return { table: zip([table], ([id]) => ids[id!]!), asns };
}

/** What is said about all networks of an AS: by the table of those that let out computers, and by lists. */
function wordsOnAs(asn: number, lists: readonly ListInput[]): Hit[] {
  const provider = hostingProviderOf(asn);
  const hosting = { id: HOSTING_NETWORKS_ID, day: 0, today: 0 };
  return [
    ...(provider === undefined ? [] : [hitOf(hosting, { cloud: provider })]),
    ...lists.flatMap((list) => {
      const claim = list.asns.get(asn);
      return claim ? [hitOf(list, claim)] : [];
    }),
  ];
}
