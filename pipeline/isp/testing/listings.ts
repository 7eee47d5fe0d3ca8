import type { ListClaim } from '../../lists/list-claim.js';
import { decideListings, type Decision, type ProxyPolicy } from '../decide-listings.js';
import type { Listing } from '../listings.js';
import { UNKNOWN_ANNOUNCER, type Announcer } from '../usage-type.js';

/** The day that ages are counted to in tests. */
export const TODAY = 20_000;

/** Makes a listing, seen yesterday in a copy of today by default. */
export function listing(list: string, claim: ListClaim, { ageDays = 1, copyAgeDays = 0 } = {}): Listing {
  return { list, claim, lastSeen: TODAY - ageDays, ageDays, copyAgeDays };
}

/** Decides listings of a network, by default with an unknown announcer. Omits undefined fields. */
export function decide(
  listings: readonly Listing[],
  announcer: Partial<Announcer> = {},
  policy?: ProxyPolicy,
): Partial<Decision> & Pick<Decision, 'isProxy' | 'threats'> {
  const decision = decideListings(listings, { ...UNKNOWN_ANNOUNCER, ...announcer }, policy);
  const known = Object.entries(decision).filter(([, value]) => value !== undefined);
  return Object.fromEntries(known) as ReturnType<typeof decide>;
}
