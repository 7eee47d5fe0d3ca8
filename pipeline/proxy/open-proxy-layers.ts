import type { ListClaim } from '../lists/list-claim.js';

/** Kinds of evidence of an open proxy, the best first: an address itself comes before the range around it. */
export const OPEN_PROXY_LAYERS = ['tested', 'seen', 'seen ranges', 'scraped'] as const;
export const LAYER = { tested: 0, seen: 1, seenRanges: 2, scraped: 3 } as const;

/**
 * The best evidence's claim. It was last seen when the latest tested one that agrees on the type was; where the best
 * one has no day of its own, the copy's day is the latest.
 */
export function joinOpenProxies(claims: readonly (ListClaim | undefined)[]): ListClaim | undefined {
  const best = claims.find((claim) => claim !== undefined);
  if (best?.lastSeen === undefined) return best;
  let { lastSeen } = best;
  for (const claim of claims) {
    const agrees = claim?.type === best.type && claim?.evidence === best.evidence;
    if (agrees) lastSeen = Math.max(lastSeen, claim?.lastSeen ?? 0);
  }
  return lastSeen === best.lastSeen ? best : { ...best, lastSeen };
}
