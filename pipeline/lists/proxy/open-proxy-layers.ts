import type { ListClaim } from '../list-claim.js';

/** The layers by evidence, the strongest first. A seen address is stronger than a seen range. */
export const OPEN_PROXY_LAYERS = ['tested', 'seen', 'seen ranges', 'scraped'] as const;
/** The indexes of the layers. */
export const LAYER = { tested: 0, seen: 1, seenRanges: 2, scraped: 3 } as const;

/**
 * Returns the claim with the strongest evidence. Its `lastSeen` is the latest one of the claims with the same type and
 * evidence. Without a day in the strongest claim there is none; the day of the copy is then later than any other.
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
