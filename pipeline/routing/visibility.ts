import type { Rib } from '../bgp/rib.js';
import { IPV4_DEPTH, type Family } from '../net/address.js';

/** Which peers hand over a full table of one family, and how many of them have to see a prefix. */
export interface FamilyVisibility {
  /** 1 per peer (session) with a full feed. */
  readonly isFull: Uint8Array;
  readonly fullFeeds: number;
  /** So many full-feed peers see a prefix, or it is dropped. */
  readonly floor: number;
}

export type Visibility = Readonly<Record<Family, FamilyVisibility>>;

/**
 * Finds the full feeds of both families: peers with at least 80 % of the largest number of prefixes that any peer has
 * of the family. `floor` is the share of them that have to see a prefix, 0..1; at least one has to.
 */
export function measureVisibility(rib: Rib, floor: number = VISIBILITY_FLOOR): Visibility {
  const [prefixes4, prefixes6] = prefixesByPeer(rib);
  return { 4: familyVisibility(prefixes4, floor), 6: familyVisibility(prefixes6, floor) };
}

/** Whether a prefix of a RIB is IPv4; there, ::/96 holds nothing else. */
export function isIpv4Prefix({ addresses, lengths }: Rib['prefixes'], prefix: number): boolean {
  const at = 4 * prefix;
  return lengths[prefix]! >= IPV4_DEPTH && (addresses[at]! | addresses[at + 1]! | addresses[at + 2]!) === 0;
}

const VISIBILITY_FLOOR = 0.1;
const FULL_FEED = 0.8;
/** To a computer, a tenth of 30 is a little more than 3. */
const ROUNDING = 1e-9;

/** How many prefixes of IPv4 and of IPv6 each peer has; several entries for one prefix count once. */
function prefixesByPeer({ prefixes, peers, entries }: Rib): [ipv4: Uint32Array, ipv6: Uint32Array] {
  const peerCount = peers.asns.length;
  const ipv4 = new Uint32Array(peerCount);
  const ipv6 = new Uint32Array(peerCount);
  /** Number, from 1, of the prefix for which a peer was counted last. */
  const countedFor = new Uint32Array(peerCount);
  for (let prefix = 0; prefix < prefixes.lengths.length; prefix++) {
    const counts = isIpv4Prefix(prefixes, prefix) ? ipv4 : ipv6;
    const end = entries.starts[prefix + 1]!;
    for (let entry = entries.starts[prefix]!; entry < end; entry++) {
      const peer = entries.peers[entry]!;
      if (countedFor[peer] === prefix + 1) continue;
      countedFor[peer] = prefix + 1;
      counts[peer]!++;
    }
  }
  return [ipv4, ipv6];
}

function familyVisibility(prefixes: Uint32Array, floor: number): FamilyVisibility {
  const largest = prefixes.reduce((most, count) => Math.max(most, count), 0);
  const isFull = Uint8Array.from(prefixes, (count) =>
    count > 0 && count >= FULL_FEED * largest - ROUNDING ? 1 : 0,
  );
  const fullFeeds = isFull.reduce((sum, full) => sum + full, 0);
  return { isFull, fullFeeds, floor: Math.max(1, Math.ceil(floor * fullFeeds - ROUNDING)) };
}
