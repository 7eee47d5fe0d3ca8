import { PROXY_TYPES } from '../lists/proxy/proxy-types.js';
import { cloudOf, isCustomerCloud, type Cloud } from './cloud.js';
import { fraudScoreOf } from './fraud-score.js';
import { sortListings, type Listing } from './listings.js';
import { providerName } from './provider-names.js';
import {
  isDataCentreUsage,
  isExpired,
  isRangeInAccess,
  rankListings,
  screenListings,
  type RankedListing,
  type ScreenedListing,
} from './proxy-type.js';
import { compareListedFirst, namesDataCentre, usageTypeOf, type Announcer } from './usage-type.js';

/** Choices of the operator of a build. */
export interface ProxyPolicy {
  /** Whether relays of consumers and gateways of enterprises (CPN, EPN) count as proxies. */
  readonly relaysAreProxies: boolean;
}

/** The default policy. */
export const DEFAULT_POLICY: ProxyPolicy = { relaysAreProxies: true };

/** The decision from all listings of one network. Undefined means unknown. */
export interface Decision {
  /** The winning type, including those that are not proxies (DCH, SES, AIC). */
  readonly type: string | undefined;
  readonly isProxy: boolean;
  /** Id of the list that names the winning type. */
  readonly decidedBy: string | undefined;
  /** Brand, by a listing of the winning type. */
  readonly provider: string | undefined;
  /** 0..99. */
  readonly fraudScore: number | undefined;
  /** Days since 1970-01-01: the latest sighting by a listing of the winning type. */
  readonly lastSeen: number | undefined;
  readonly usageType: string | undefined;
  /** SPAM, SCANNER, BOTNET, then others by name. */
  readonly threats: readonly string[];
  readonly cloud: Cloud | undefined;
  readonly isCloudIdc: boolean;
  /** Listings that did not count: `<list id> <reason>`, the reason being `edge`, `allowed`, `access` or `expired`. */
  readonly dropped: readonly string[];
}

/**
 * Decides the proxy type, usage type, threats, fraud score and cloud of a network. A pure function; the order of the
 * listings does not matter. Type, brand, score and date come from the listings of the winning type, threats from all
 * listings that count. Cloud and usage are independent of the type, and come from listings at edges and in allowed
 * space too.
 */
export function decideListings(
  listings: readonly Listing[],
  announcer: Announcer,
  policy = DEFAULT_POLICY,
): Decision {
  const sorted = sortListings(listings);
  const live = sorted.some(isExpired) ? sorted.filter((listing) => !isExpired(listing)) : sorted;
  const counted = announcer.isAccess ? live.filter((listing) => !isRangeInAccess(listing, announcer)) : live;
  const usageType = usageTypeOf(counted, announcer);
  const screened = screenListings(live, { ...announcer, usageType });
  const threats = joinThreats(screened);
  return {
    ...decideType(screened, { usageType, hasThreat: threats.length > 0, policy }),
    usageType,
    threats,
    cloud: cloudOf(live),
    isCloudIdc: isDataCentreUsage(usageType) || isInDataCentre(counted, announcer.asn),
    dropped: droppedOf(sorted, screened),
  };
}

function isInDataCentre(counted: readonly Listing[], asn: number | undefined): boolean {
  return counted.some((listing) => isCustomerCloud(listing.claim) || namesDataCentre(listing, asn));
}

interface TypeContext {
  readonly usageType: string | undefined;
  readonly hasThreat: boolean;
  readonly policy: ProxyPolicy;
}

type TypeDecision = Pick<Decision, 'type' | 'isProxy' | 'decidedBy' | 'provider' | 'fraudScore' | 'lastSeen'>;

function decideType(screened: readonly ScreenedListing[], context: TypeContext): TypeDecision {
  const ranked = rankListings(screened);
  const winner = ranked[0];
  if (winner === undefined) return NO_TYPE;
  const { type, listing, row } = winner;
  const { provider, fraudScore, lastSeen, ageDays } = agreementWith(winner, ranked);
  const scoreByRule = row.isInferred ? undefined : fraudScoreOf({ ...context, type, ageDays });
  return {
    type,
    isProxy: makesProxy(type, context.policy),
    decidedBy: listing.list,
    provider: provider === undefined ? undefined : providerName(provider),
    fraudScore: fraudScore ?? scoreByRule,
    lastSeen,
  };
}

const NO_TYPE: TypeDecision = {
  type: undefined,
  isProxy: false,
  decidedBy: undefined,
  provider: undefined,
  fraudScore: undefined,
  lastSeen: undefined,
};

/** Combines the listings of the winning type: brand and score of the strongest one, and the latest sighting. */
interface Agreement {
  provider: string | undefined;
  fraudScore: number | undefined;
  lastSeen: number;
  ageDays: number;
}

/** An inferred range has not seen the address itself, so it does not renew the date of a sighting. */
function agreementWith(winner: RankedListing, ranked: readonly RankedListing[]): Agreement {
  const { lastSeen, ageDays } = winner.listing;
  const agreed: Agreement = { provider: undefined, fraudScore: undefined, lastSeen, ageDays };
  for (const { listing, type, row } of ranked) {
    if (type !== winner.type || row.isInferred !== winner.row.isInferred) continue;
    agreed.provider ??= listing.claim.provider;
    agreed.fraudScore ??= listing.claim.fraudScore;
    agreed.lastSeen = Math.max(agreed.lastSeen, listing.lastSeen);
    agreed.ageDays = Math.min(agreed.ageDays, listing.ageDays);
  }
  return agreed;
}

function makesProxy(type: string, { relaysAreProxies }: ProxyPolicy): boolean {
  const meaning = PROXY_TYPES.get(type);
  return meaning?.isProxy === true && (meaning.isRelay !== true || relaysAreProxies);
}

const THREATS_FIRST = ['SPAM', 'SCANNER', 'BOTNET'];

/** A threat alone does not make a proxy: the attacker may be the owner of the address. */
function joinThreats(screened: readonly ScreenedListing[]): string[] {
  const threats: string[] = [];
  for (const { listing, drop } of screened) {
    if (listing.claim.threats === undefined || drop === 'allowed') continue;
    for (const threat of listing.claim.threats) if (!threats.includes(threat)) threats.push(threat);
  }
  return threats.length > 1 ? threats.sort((a, b) => compareListedFirst(THREATS_FIRST, a, b)) : threats;
}

function droppedOf(listings: readonly Listing[], screened: readonly ScreenedListing[]): string[] {
  const dropped: string[] = [];
  for (const listing of listings) if (isExpired(listing)) dropped.push(`${listing.list} expired`);
  for (const { listing, drop } of screened) if (drop !== undefined) dropped.push(`${listing.list} ${drop}`);
  return dropped.length > 1 ? dropped.sort() : dropped;
}
