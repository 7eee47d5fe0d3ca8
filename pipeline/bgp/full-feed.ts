import type { Family } from '../net/address.js';
import type { Rib } from './rib.js';
import { familyOfPrefix, LONGEST_ROUTE } from './routable-prefix.js';

/** By family and peer (session): 1 if it provides a full feed of the family. */
export type FullFeeds = Readonly<Record<Family, Uint8Array>>;

/**
 * Finds the full feeds: peers with at least 80 % of the largest number of prefixes of any peer of the family. Prefixes
 * longer than LONGEST_ROUTE do not count; otherwise no feed would be full once a peer leaks its internal prefixes.
 */
export function fullFeedsOf(rib: Rib): FullFeeds {
  const counts = prefixesByPeer(rib);
  return { 4: fullFeeds(counts[4]), 6: fullFeeds(counts[6]) };
}

const FULL_FEED_SHARE = 0.8;
/** Tolerance for floating-point error in the product. */
const ROUNDING = 1e-9;

/** Counts the prefixes of each peer; several entries of one prefix (ADD-PATH) count once. */
function prefixesByPeer({ prefixes, peers, entries }: Rib): Record<Family, Uint32Array> {
  const peerCount = peers.asns.length;
  const counts = { 4: new Uint32Array(peerCount), 6: new Uint32Array(peerCount) };
  /** By peer: the number plus 1 of the last prefix for which it was counted. */
  const countedFor = new Uint32Array(peerCount);
  for (let prefix = 0; prefix < prefixes.lengths.length; prefix++) {
    const family = familyOfPrefix(prefixes, prefix);
    if (prefixes.lengths[prefix]! > LONGEST_ROUTE[family]) continue;
    const ofFamily = counts[family];
    const end = entries.starts[prefix + 1]!;
    for (let entry = entries.starts[prefix]!; entry < end; entry++) {
      const peer = entries.peers[entry]!;
      if (countedFor[peer] === prefix + 1) continue;
      countedFor[peer] = prefix + 1;
      ofFamily[peer]!++;
    }
  }
  return counts;
}

function fullFeeds(prefixes: Uint32Array): Uint8Array {
  const largest = prefixes.reduce((most, count) => Math.max(most, count), 0);
  const least = FULL_FEED_SHARE * largest - ROUNDING;
  return Uint8Array.from(prefixes, (count) => (count > 0 && count >= least ? 1 : 0));
}
