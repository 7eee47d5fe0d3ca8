import { relevantClaim } from './relevance.js';
import type { Hit } from './service.js';

/** Hits in one order, that of their lists' ids; the same array where they stand so already. */
export function inOrder(hits: readonly Hit[]): readonly Hit[] {
  for (let i = 1; i < hits.length; i++) {
    if (compareHits(hits[i - 1]!, hits[i]!) > 0) return [...hits].sort(compareHits);
  }
  return hits;
}

/**
 * A list may say one thing of a network and one of its AS. What decisions look at goes first, so that names do not
 * change the order of the rest.
 */
function compareHits(a: Hit, b: Hit): number {
  if (a.list !== b.list) return a.list < b.list ? -1 : 1;
  if (a.lastSeen !== b.lastSeen) return b.lastSeen - a.lastSeen;
  return (
    compareTexts(JSON.stringify(relevantClaim(a.claim)), JSON.stringify(relevantClaim(b.claim))) ||
    compareTexts(JSON.stringify(a.claim), JSON.stringify(b.claim))
  );
}

function compareTexts(a: string, b: string): number {
  return a === b ? 0 : a < b ? -1 : 1;
}
