import { fullFeedsOf } from '../bgp/full-feed.js';
import type { Rib } from '../bgp/rib.js';
import type { Family } from '../net/address.js';

/** The full feeds of one family, and the number of them that must have a prefix. */
export interface FamilyVisibility {
  /** By peer (session): 1 if it has a full feed. */
  readonly isFull: Uint8Array;
  /** Prefixes with fewer full-feed peers are dropped. */
  readonly floor: number;
}

/** The visibility of both families. */
export type Visibility = Readonly<Record<Family, FamilyVisibility>>;

/**
 * Finds the full feeds. `floor` is the share of a family's full feeds that must have a prefix, 0..1, at least one feed.
 */
export function measureVisibility(rib: Rib, floor: number = VISIBILITY_FLOOR): Visibility {
  const isFull = fullFeedsOf(rib);
  return { 4: familyVisibility(isFull[4], floor), 6: familyVisibility(isFull[6], floor) };
}

const VISIBILITY_FLOOR = 0.1;
/** Tolerance for floating-point error: 0.1 * 30 is slightly more than 3. */
const ROUNDING = 1e-9;

function familyVisibility(isFull: Uint8Array, floor: number): FamilyVisibility {
  const fullFeeds = isFull.reduce((sum, full) => sum + full, 0);
  return { isFull, floor: Math.max(1, Math.ceil(floor * fullFeeds - ROUNDING)) };
}
