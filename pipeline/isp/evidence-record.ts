import { formatDay } from '../lists/days.js';
import { arrayOf, map, mapOf } from '../mmdb/schema.js';
import { BUILT_IN_ALLOW_LIST } from './allowed-space.js';
import { HOSTING_NETWORKS_ID, type Listing } from './listings.js';
import { isRangeInAccess, typeOf } from './proxy-type.js';

/**
 * A record of `evidence.mmdb`: what each list says about the network, under the id of the list, and about the AS that
 * announces it, under the id and the number (`spamhaus AS2386`).
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
    dropped: 'string',
    asn: 'uint32',
  }),
);

/** Increased with every change to the contents of records; part of the key of a cached dataset. */
export const EVIDENCE_SCHEMA_VERSION = 3;

/** The claim of one list about one network or AS. Absent fields are not in the list. */
export interface Evidence {
  readonly type?: string;
  /** How the publisher verified the address itself: `commercial`, `confirmed` or `scraped`. */
  readonly evidence?: string;
  readonly provider?: string;
  readonly usage_type?: string;
  readonly isp?: string;
  readonly domain?: string;
  /** Labels joined with `/`, in the order of the list. */
  readonly threat?: string;
  readonly fraud_score?: number;
  /** ISO date; the day of the copy when the row has no date. Absent for tables in this project. */
  readonly last_seen?: string;
  readonly cloud?: string;
  readonly service?: string;
  readonly region?: string;
  readonly is_hosting?: boolean;
  readonly is_edge?: boolean;
  readonly carrier?: string;
  readonly allow?: readonly string[];
  readonly is_own?: boolean;
  /** The copy was too old for `isp.mmdb`. */
  readonly is_expired?: true;
  /** The type that it counts as, if different: a VPN range in rented hosting counts as DCH. */
  readonly taken_for?: string;
  /** `access`: a range of inferred data centres in the network of an access carrier, which does not count there. */
  readonly dropped?: string;
  /** The listed AS; absent for a listing of the network. */
  readonly asn?: number;
}

/** Further facts about a listing. */
export interface ListingContext {
  /** Ids of the outdated lists. */
  readonly outdated: ReadonlySet<string>;
  /** The AS that announces the network, if the meaning depends on it. */
  readonly asn: number | undefined;
  /** Whether the AS connects subscribers and is no hosting company. */
  readonly isAccess: boolean;
  /** Whether the AS is listed, not the network. */
  readonly isOfAs?: true;
}

/** Returns a listing as evidence. */
export function evidenceOf(listing: Listing, { outdated, asn, isAccess, isOfAs }: ListingContext): Evidence {
  const { list, claim, lastSeen } = listing;
  const evidence: Record<string, unknown> = {};
  for (const [field, claimField] of CLAIM_FIELDS) {
    const value = claim[claimField];
    if (value !== undefined) evidence[field] = value;
  }
  if (claim.threats !== undefined) evidence['threat'] = claim.threats.join('/');
  if (!UNDATED.has(list)) evidence['last_seen'] = formatDay(lastSeen);
  if (outdated.has(list)) evidence['is_expired'] = true;
  const takenFor = typeOf(listing, asn);
  if (takenFor !== claim.type) evidence['taken_for'] = takenFor;
  if (isRangeInAccess(listing, { isAccess })) evidence['dropped'] = 'access';
  if (isOfAs) evidence['asn'] = asn;
  return evidence;
}

/** Fields that are copied from the claim: name in the evidence, name in the claim. */
const CLAIM_FIELDS = [
  ['type', 'type'],
  ['evidence', 'evidence'],
  ['provider', 'provider'],
  ['isp', 'isp'],
  ['domain', 'domain'],
  ['cloud', 'cloud'],
  ['service', 'service'],
  ['region', 'region'],
  ['carrier', 'carrier'],
  ['allow', 'allow'],
  ['usage_type', 'usageType'],
  ['fraud_score', 'fraudScore'],
  ['is_hosting', 'isHosting'],
  ['is_edge', 'isEdge'],
  ['is_own', 'isOwn'],
] as const satisfies readonly (readonly [keyof Evidence, keyof Listing['claim']])[];

/** Ids of tables in this project. They are not downloaded, so they have no date. */
const UNDATED: ReadonlySet<string> = new Set([BUILT_IN_ALLOW_LIST, HOSTING_NETWORKS_ID]);
