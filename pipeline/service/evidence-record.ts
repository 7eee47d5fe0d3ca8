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
  const outdated = new Set(lists.filter(isOutdated).map(({ id }) => id));
  return {
    table: hits.table,
    records: {
      length: hits.combinations,
      at: (id) => Object.fromEntries(hits.hitsOf(id).map((hit) => [hit.list, evidenceOf(hit, outdated)])),
    },
    schema: EVIDENCE_SCHEMA,
    databaseType: 'ipatlas-Evidence',
    description: { en: 'ipatlas: what each list of proxies, threats and clouds says' },
    languages: [],
    counters: { 'evidence.networks': hits.table.networkCount() },
  };
}

function evidenceOf({ list, claim, lastSeen }: Hit, outdated: ReadonlySet<string>): Evidence {
  const { usageType, threats, fraudScore, isHosting, isEdge, isOwn } = claim;
  return {
    ...Object.fromEntries(SAME_NAME.flatMap((field) => (field in claim ? [[field, claim[field]]] : []))),
    ...(usageType !== undefined && { usage_type: usageType }),
    ...(threats !== undefined && { threat: threats.join('/') }),
    ...(fraudScore !== undefined && { fraud_score: fraudScore }),
    last_seen: formatDay(lastSeen),
    ...(isHosting !== undefined && { is_hosting: isHosting }),
    ...(isEdge !== undefined && { is_edge: isEdge }),
    ...(isOwn !== undefined && { is_own: isOwn }),
    ...(outdated.has(list) && { is_expired: true }),
  };
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
