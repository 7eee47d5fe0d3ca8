import { isCustomerCloud } from './cloud.js';
import type { Listing } from './listings.js';
import { UNKNOWN_USE, type NetworkUse } from './network-use.js';
import { typeOf } from './proxy-type.js';

/** The AS that announces a network, as far as decisions look at it. */
export interface Announcer extends NetworkUse {
  readonly asn: number | undefined;
}

/** An unknown AS. */
export const UNKNOWN_ANNOUNCER: Announcer = { asn: undefined, ...UNKNOWN_USE };

/** Lists that state a usage type themselves, in order of precedence; they rank above derived usage types. */
export const STATED_FIRST = ['ip2proxy', 'apple-relay'] as const;

/** Derived usage types, the most specific first; others follow by name. */
const DERIVED_FIRST = ['CDN', 'SES', 'DCH'] as const;

/**
 * Returns the usage type of a network: as a list states it (compound ones such as `ISP/MOB` unchanged), else derived
 * from edges, crawlers and data centres, else by the use of the announcing network; undefined when none is known.
 */
export function usageTypeOf(
  listings: readonly Listing[],
  { asn, usage: usageOfAs }: Announcer,
): string | undefined {
  for (const id of STATED_FIRST) {
    for (const { list, claim } of listings) {
      if (list === id && claim.usageType !== undefined) return claim.usageType;
    }
  }
  let derived: string | undefined;
  for (const listing of listings) {
    const usage = derivedUsage(listing, asn);
    if (usage === undefined) continue;
    if (derived === undefined || compareListedFirst(DERIVED_FIRST, usage, derived) < 0) derived = usage;
  }
  return derived ?? usageOfAs;
}

/** Returns whether a listing places the network in a data centre, whatever it is used for there. */
export function namesDataCentre(listing: Listing, asn: number | undefined): boolean {
  return listing.claim.isHosting === true || typeOf(listing, asn) === 'DCH';
}

/** Orders texts: those in `first` by their place there, then the others by name. */
export function compareListedFirst(first: readonly string[], a: string, b: string): number {
  return placeIn(first, a) - placeIn(first, b) || (a === b ? 0 : a < b ? -1 : 1);
}

function derivedUsage(listing: Listing, asn: number | undefined): string | undefined {
  const { claim } = listing;
  if (claim.usageType !== undefined) return claim.usageType;
  if (claim.isEdge) return 'CDN';
  if (claim.type === 'SES' || claim.type === 'AIC') return 'SES';
  return isCustomerCloud(claim) || namesDataCentre(listing, asn) ? 'DCH' : undefined;
}

function placeIn(first: readonly string[], text: string): number {
  const place = first.indexOf(text);
  return place < 0 ? first.length : place;
}
