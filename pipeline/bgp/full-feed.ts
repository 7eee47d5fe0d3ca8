import type { Family } from '../net/address.js';
import type { Rib } from './rib.js';
import { familyOfPrefix, LONGEST_ROUTE } from './routable-prefix.js';

/** By peer (session): 1 where it gives a full feed of the family. */
export type FullFeeds = Readonly<Record<Family, Uint8Array>>;

/**
 * Finds the peers that have at least 80 % of the largest number of prefixes that any peer has of the family. Prefixes too
 * long for the global table do not count: one peer that leaks those of its own network would leave no other full.
 */
export function fullFeedsOf(rib: Rib): FullFeeds {
  const counts = prefixesByPeer(rib);
  return { 4: fullFeeds(counts[4]), 6: fullFeeds(counts[6]) };
}

const FULL_FEED_SHARE = 0.8;
/** To a computer, four fifths of a number may be a little more than they are. */
const ROUNDING = 1e-9;

/** How many prefixes each peer has; several entries for one prefix, as with ADD-PATH, count once. */
function prefixesByPeer({ prefixes, peers, entries }: Rib): Record<Family, Uint32Array> {
  const peerCount = peers.asns.length;
  const counts = { 4: new Uint32Array(peerCount), 6: new Uint32Array(peerCount) };
  /** Number, from 1, of the prefix for which a peer was counted last. */
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
