import { fullFeedsOf } from '../bgp/full-feed.js';
import type { Rib } from '../bgp/rib.js';
import type { Family } from '../net/address.js';

/** Which peers hand over a full table of one family, and how many of them have to see a prefix. */
export interface FamilyVisibility {
  /** 1 per peer (session) with a full feed. */
  readonly isFull: Uint8Array;
  /** So many full-feed peers see a prefix, or it is dropped. */
  readonly floor: number;
}

export type Visibility = Readonly<Record<Family, FamilyVisibility>>;

/** `floor` is the share of a family's full feeds that have to see a prefix, 0..1; at least one has to. */
export function measureVisibility(rib: Rib, floor: number = VISIBILITY_FLOOR): Visibility {
  const isFull = fullFeedsOf(rib);
  return { 4: familyVisibility(isFull[4], floor), 6: familyVisibility(isFull[6], floor) };
}

const VISIBILITY_FLOOR = 0.1;
/** To a computer, a tenth of 30 is a little more than 3. */
const ROUNDING = 1e-9;

function familyVisibility(isFull: Uint8Array, floor: number): FamilyVisibility {
  const fullFeeds = isFull.reduce((sum, full) => sum + full, 0);
  return { isFull, floor: Math.max(1, Math.ceil(floor * fullFeeds - ROUNDING)) };
}
