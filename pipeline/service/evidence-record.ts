import { formatDay } from '../lists/days.js';
import type { ListClaim } from '../lists/list-claim.js';
import { arrayOf, map, mapOf } from '../mmdb/schema.js';
import { BUILT_IN_ALLOW_LIST } from './allowed-space.js';
import { typeOf } from './believed-type.js';
import { HOSTING_NETWORKS_ID } from './origin-classes.js';
import type { Hit } from './service.js';

/**
 * A record of `evidence.mmdb`: what each list says about the network, by the list's id, and about the AS that announces
 * it, by that and the number (`spamhaus AS2386`).
 */
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
    taken_for: 'string',
    asn: 'uint32',
  }),
);

/** Raised with every change to what records hold: part of the key under which a dataset is found again. */
export const EVIDENCE_SCHEMA_VERSION = 2;

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
  /** ISO date; the day of the copy where the row has none. Absent for what comes with the project. */
  readonly last_seen?: string;
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
  /** The type as which the merge takes the word, where that is another: a VPN range in rented hosting is a data centre. */
  readonly taken_for?: string;
  /** The AS that this is said about; absent where it is said about the network. */
  readonly asn?: number;
}

/** What is known about a hit besides. */
export interface HitContext {
  /** Ids of lists whose copy was too old for the merge. */
  readonly outdated: ReadonlySet<string>;
  /** The AS that announces the network, where it matters. */
  readonly asn: number | undefined;
  /** It is said about that AS, not about the network. */
  readonly isOnAs?: true;
}

/** What one list says, as it is kept. */
export function evidenceOf(hit: Hit, { outdated, asn, isOnAs }: HitContext): Evidence {
  const { list, claim, lastSeen } = hit;
  const evidence: Draft = {};
  for (const field of SAME_NAME) set(evidence, field, claim[field]);
  set(evidence, 'usage_type', claim.usageType);
  set(evidence, 'threat', claim.threats?.join('/'));
  set(evidence, 'fraud_score', claim.fraudScore);
  set(evidence, 'is_hosting', claim.isHosting);
  set(evidence, 'is_edge', claim.isEdge);
  set(evidence, 'is_own', claim.isOwn);
  if (!UNDATED.has(list)) evidence.last_seen = formatDay(lastSeen);
  if (outdated.has(list)) evidence.is_expired = true;
  const takenFor = typeOf(hit, asn);
  if (takenFor !== claim.type) set(evidence, 'taken_for', takenFor);
  if (isOnAs) set(evidence, 'asn', asn);
  return evidence;
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

/** What comes with the project has no copy, and so no day. */
const UNDATED: ReadonlySet<string> = new Set([BUILT_IN_ALLOW_LIST, HOSTING_NETWORKS_ID]);
