import type { Evidence, ListClaim } from '../lists/list-claim.js';
import { EVERY_LIST } from '../lists/proxy/allow-scopes.js';
import { PROXY_TYPES } from '../lists/proxy/proxy-types.js';
import { INFERRED_DATA_CENTRES } from './as-space.js';
import type { Listing } from './listings.js';

/** A row of the precedence table. A listing matches when every field that the row has matches. */
export interface PrecedenceRow {
  /** Number of the row; the lowest wins. */
  readonly rank: number;
  /** Every type when absent. */
  readonly types?: readonly string[];
  /** List ids, the most reliable first; every list when absent. */
  readonly lists?: readonly string[];
  /** Only claims with this evidence. */
  readonly evidence?: Evidence;
  /** Only claims of copies younger than this. */
  readonly copyUnderDays?: number;
  /** Only rows of the operator's own deny-list. */
  readonly isOwn?: true;
  /** The type is inferred from a range around an observed address, so it gets no fraud score. */
  readonly isInferred?: true;
}

/**
 * The precedence of listings for the proxy type: the first row with a match decides; within a row the latest sighting,
 * then the order of `lists`. Enumerated addresses rank above inferred ranges: a Tor exit or a relay inside a VPN range
 * keeps its type, and so does a crawler in a data centre. IP2Proxy's free edition, and a commercial copy of 30 days or
 * more, share the first row of their type. The last row takes all other listings, so an unknown type never replaces a
 * known one.
 */
// prettier-ignore
export const TYPE_PRECEDENCE: readonly PrecedenceRow[] = [
  { rank: 0, isOwn: true },
  { rank: 1, types: ['TOR'], lists: ['tor', 'ip2proxy'] },
  { rank: 2, types: ['VPN', 'PUB', 'WEB', 'RES', 'CPN', 'EPN'], lists: ['ip2proxy'], evidence: 'commercial', copyUnderDays: 30 },
  { rank: 3, types: ['VPN'], lists: ['mullvad', 'nordvpn', 'proton', 'ip2proxy'] },
  { rank: 4, types: ['CPN'], lists: ['apple-relay', 'ip2proxy'] },
  { rank: 5, types: ['EPN'], lists: ['zscaler', 'ip2proxy'] },
  { rank: 6, types: ['RES'], lists: ['open-proxies', 'ip2proxy'] },
  { rank: 7, types: ['PUB'], lists: ['open-proxies', 'ip2proxy'] },
  { rank: 8, types: ['WEB'], lists: ['open-proxies', 'ip2proxy'] },
  { rank: 9, types: ['SES', 'AIC'], lists: ['ip2proxy', 'crawlers'] },
  { rank: 10, types: ['VPN'], lists: ['x4bnet'], isInferred: true },
  { rank: 11, types: ['DCH'], lists: ['ip2proxy', 'x4bnet'] },
  { rank: 12 },
];

/**
 * Hosting companies that rent servers to VPN brands, by AS number. X4BNet lists all of their space as VPN: millions of
 * addresses. The brands themselves publish a few thousand of them.
 */
export const RENTED_HOSTING: ReadonlyMap<number, string> = new Map([
  [9009, 'M247'],
  [60068, 'Datacamp (CDN77)'],
  [212238, 'Datacamp'],
]);

/** Lists without ages per row: a row is as old as its copy, so rows do not expire one by one. */
export const KEPT_WITH_COPY: ReadonlySet<string> = new Set(['ip2proxy']);

/** Lists that cannot distinguish the customers of a content delivery network from its edges. */
export const BLIND_AT_EDGES: ReadonlySet<string> = new Set(['open-proxies', 'x4bnet', 'ip2proxy']);
const BLIND_TYPES: ReadonlySet<string> = new Set(['PUB', 'VPN', 'RES', 'WEB']);

/**
 * Returns the type that a listing names, if any. X4BNet's VPN in rented hosting becomes DCH. `asn` is the AS that
 * announces the network.
 */
export function typeOf({ list, claim }: Listing, asn: number | undefined): string | undefined {
  const isRented = asn !== undefined && RENTED_HOSTING.has(asn);
  return list === 'x4bnet' && claim.type === 'VPN' && isRented ? 'DCH' : claim.type;
}

/** The facts about a network before its proxy type is decided. */
export interface KnownUse {
  readonly asn: number | undefined;
  /** Whether the AS connects subscribers and is no hosting company. */
  readonly isAccess: boolean;
  readonly usageType: string | undefined;
}

/** Lists that infer data centres from whole ASes or from earlier holders of the space. */
const INFERRED_RANGES: ReadonlySet<string> = new Set([INFERRED_DATA_CENTRES]);

/** Returns whether a listing is an inferred range of data centres in the network of an access carrier. */
export function isRangeInAccess({ list, claim }: Listing, { isAccess }: Pick<KnownUse, 'isAccess'>): boolean {
  return isAccess && claim.isHosting === true && INFERRED_RANGES.has(list);
}

/** Returns `typeOf`, with RES in a data centre as PUB: no subscriber lives there. The operator's own rows stay. */
function typeWithUsage(listing: Listing, { asn, usageType }: KnownUse): string | undefined {
  const type = typeOf(listing, asn);
  return type === 'RES' && listing.claim.isOwn !== true && isDataCentreUsage(usageType) ? 'PUB' : type;
}

/** Returns whether a usage type, or a part of one like `ISP/DCH`, is a data centre or the edge of a CDN. */
export function isDataCentreUsage(usageType: string | undefined): boolean {
  return usageType !== undefined && DATA_CENTRE.test(usageType);
}

const DATA_CENTRE = /(?:^|\/)(?:DCH|CDN)(?:\/|$)/;

/** Returns whether a listing is older than the maximum age of its type. The operator's own rows never expire. */
export function isExpired({ list, claim, ageDays }: Listing): boolean {
  if (claim.type === undefined || claim.isOwn === true || KEPT_WITH_COPY.has(list)) return false;
  return ageDays > (PROXY_TYPES.get(claim.type)?.maxAgeDays ?? Infinity);
}

/**
 * Why a listing does not count, or counts in part: `allowed` discards its type, brand, score and threats, `edge` all of
 * these except the threats. Its cloud and usage count in both cases. `access` discards an inferred range of data
 * centres in the network of an access carrier.
 */
export type DropReason = 'allowed' | 'edge' | 'access';

/** A live listing, the type that it names, and why it does not count, if so. */
export interface ScreenedListing {
  readonly listing: Listing;
  readonly type: string | undefined;
  readonly drop: DropReason | undefined;
}

/** Screens the live listings of one network by their allowances and CDN edges. */
export function screenListings(listings: readonly Listing[], known: KnownUse): ScreenedListing[] {
  const allowed = allowedScopes(listings);
  const isEdge = listings.some(({ claim }) => claim.isEdge);
  return listings.map((listing) => {
    const type = typeWithUsage(listing, known);
    const isBlind = isEdge && isBlindAtEdge(listing, type);
    const drop = isRangeInAccess(listing, known) ? 'access' : dropReason(listing, type, { allowed, isBlind });
    return { listing, type, drop };
  });
}

function allowedScopes(listings: readonly Listing[]): ReadonlySet<string> {
  let scopes: Set<string> | undefined;
  for (const { claim } of listings) {
    if (claim.allow === undefined) continue;
    scopes ??= new Set();
    for (const scope of claim.allow) scopes.add(scope);
  }
  return scopes ?? NOTHING;
}

const NOTHING: ReadonlySet<string> = new Set();

function isBlindAtEdge({ list, claim }: Listing, type: string | undefined): boolean {
  if (!BLIND_AT_EDGES.has(list) || claim.evidence === 'commercial' || claim.isOwn === true) return false;
  return type !== undefined && BLIND_TYPES.has(type);
}

function dropReason(
  { list, claim }: Listing,
  type: string | undefined,
  { allowed, isBlind }: { readonly allowed: ReadonlySet<string>; readonly isBlind: boolean },
): DropReason | undefined {
  const isAllowed =
    // The operator's list has applied its allow-list to its own rows already.
    claim.isOwn !== true &&
    allowed.size > 0 &&
    (allowed.has(EVERY_LIST) || allowed.has(list) || (type !== undefined && allowed.has(type)));
  if (isAllowed) return namesTypeOrThreat(claim) ? 'allowed' : undefined;
  return isBlind ? 'edge' : undefined;
}

function namesTypeOrThreat({ type, threats }: ListClaim): boolean {
  return type !== undefined || (threats?.length ?? 0) > 0;
}

/** A listing with the type that it counts as, and the first row of the precedence that it matches. */
export interface RankedListing {
  readonly listing: Listing;
  readonly type: string;
  readonly row: PrecedenceRow;
}

/** Returns the listings that count and name a type, the winner first. */
export function rankListings(screened: readonly ScreenedListing[]): RankedListing[] {
  const ranked: RankedListing[] = [];
  for (const { listing, type, drop } of screened) {
    if (type !== undefined && drop === undefined) ranked.push({ listing, type, row: rowOf(listing, type) });
  }
  return ranked.length > 1 ? ranked.sort(compareRanked) : ranked;
}

/** Returns the first row of the precedence that a listing with this type matches. */
export function rowOf(listing: Listing, type: string): PrecedenceRow {
  for (const row of TYPE_PRECEDENCE) if (matches(row, listing, type)) return row;
  return LAST_ROW;
}

const LAST_ROW = TYPE_PRECEDENCE.at(-1)!;

function matches(row: PrecedenceRow, { list, claim, copyAgeDays }: Listing, type: string): boolean {
  return (
    (row.isOwn === undefined || claim.isOwn === true) &&
    (row.types === undefined || row.types.includes(type)) &&
    (row.lists === undefined || row.lists.includes(list)) &&
    (row.evidence === undefined || row.evidence === claim.evidence) &&
    (row.copyUnderDays === undefined || copyAgeDays < row.copyUnderDays)
  );
}

/** Orders ranked listings, the strongest first. */
function compareRanked(a: RankedListing, b: RankedListing): number {
  if (a.row !== b.row) return a.row.rank - b.row.rank;
  return b.listing.lastSeen - a.listing.lastSeen || placeIn(a.row, a.listing) - placeIn(b.row, b.listing);
}

function placeIn(row: PrecedenceRow, { list }: Listing): number {
  return row.lists?.indexOf(list) ?? 0;
}
