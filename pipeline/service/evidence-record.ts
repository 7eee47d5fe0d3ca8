import { formatDay } from '../lists/days.js';
import type { ListClaim } from '../lists/list-claim.js';
import { arrayOf, map, mapOf } from '../mmdb/schema.js';
import { HitTable } from './hit-table.js';
import { isOutdated } from './list-age.js';
import type { Hit, ListInput, ServiceDataset } from './service.js';

/** A record of `evidence.mmdb`: what each list says about the network, by the list's id. */
export const EVIDENCE_SCHEMA = mapOf(
  map({
    type: 'string',
    evidence: 'string',
    provider: 'string',
    usage_type: 'string',
    isp: 'string',
    domain: 'string',
    threat: 'string',
    fraud_score: 'uint16',
    last_seen: 'string',
    cloud: 'string',
    service: 'string',
    region: 'string',
    is_hosting: 'boolean',
    is_edge: 'boolean',
    carrier: 'string',
    allow: arrayOf('string'),
    is_own: 'boolean',
    is_expired: 'boolean',
  }),
);

/** Raised with every change to what records hold: part of the key under which a dataset is found again. */
export const EVIDENCE_SCHEMA_VERSION = 1;

/** One list's word. Absent is what it leaves out. */
export interface Evidence {
  readonly type?: string;
  /** Whether the publisher has tested the very address. */
  readonly evidence?: string;
  readonly provider?: string;
  readonly usage_type?: string;
  readonly isp?: string;
  readonly domain?: string;
  /** Labels joined with `/`, as the list orders them. */
  readonly threat?: string;
  readonly fraud_score?: number;
  /** ISO date; the day of the copy where the row has none. */
  readonly last_seen: string;
  readonly cloud?: string;
  readonly service?: string;
  readonly region?: string;
  readonly is_hosting?: boolean;
  readonly is_edge?: boolean;
  readonly carrier?: string;
  readonly allow?: readonly string[];
  readonly is_own?: boolean;
  /** The copy was too old for the merge. */
  readonly is_expired?: true;
}

/**
 * `evidence.mmdb`: which lists said what, for audit, those included that were too old to count. What lists say about
 * whole autonomous systems is not in it.
 */
export function evidenceDataset(lists: readonly ListInput[]): ServiceDataset {
  const hits = new HitTable(lists);
  const said = new Said(lists);
  return {
    table: hits.table,
    records: { length: hits.combinations, at: (id) => said.evidenceOf(hits.hitsOf(id)) },
    schema: EVIDENCE_SCHEMA,
    databaseType: 'ipatlas-Evidence',
    description: { en: 'ipatlas: what each list of proxies, threats and clouds says' },
    languages: [],
    counters: { 'evidence.networks': hits.table.networkCount() },
  };
}

/** Hits as evidence. */
class Said {
  readonly #outdated: ReadonlySet<string>;
  readonly #days = new Map<number, string>();

  constructor(lists: readonly ListInput[]) {
    this.#outdated = new Set(lists.filter(isOutdated).map(({ id }) => id));
  }

  evidenceOf(hits: readonly Hit[]): Record<string, Evidence> {
    const record: Record<string, Evidence> = {};
    for (const hit of hits) record[hit.list] = this.#read(hit);
    return record;
  }

  #read({ list, claim, lastSeen }: Hit): Evidence {
    const evidence: Draft = { last_seen: this.#dayText(lastSeen) };
    for (const field of SAME_NAME) set(evidence, field, claim[field]);
    set(evidence, 'usage_type', claim.usageType);
    set(evidence, 'threat', claim.threats?.join('/'));
    set(evidence, 'fraud_score', claim.fraudScore);
    set(evidence, 'is_hosting', claim.isHosting);
    set(evidence, 'is_edge', claim.isEdge);
    set(evidence, 'is_own', claim.isOwn);
    if (this.#outdated.has(list)) evidence.is_expired = true;
    return evidence;
  }

  #dayText(day: number): string {
    let text = this.#days.get(day);
    if (text === undefined) this.#days.set(day, (text = formatDay(day)));
    return text;
  }
}

/** Evidence in the making. */
type Draft = { -readonly [Field in keyof Evidence]: Evidence[Field] };

function set<Field extends keyof Draft>(draft: Draft, field: Field, value: Draft[Field] | undefined): void {
  if (value !== undefined) draft[field] = value;
}

/** Fields that a claim has under the same name. */
const SAME_NAME = [
  'type',
  'evidence',
  'provider',
  'isp',
  'domain',
  'cloud',
  'service',
  'region',
  'carrier',
  'allow',
] as const satisfies readonly (keyof Evidence & keyof ListClaim)[];
