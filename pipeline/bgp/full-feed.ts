import { prefixFamily } from '../net/prefix.js';
import type { Rib } from './rib.js';

/** Bits of a family in `familiesOfPaths`. */
export const IPV4 = 1;
export const IPV6 = 2;

/** A peer is a full feed from this share of the largest peer's prefixes of the family on. */
const FULL_FEED_SHARE = 0.8;

/** What a RIB shows of the two address families. */
export interface Families {
  /** By path: IPV4 and IPV6, as the prefixes say that it leads to. */
  readonly ofPaths: Uint8Array;
  /** Vantage points (ASes of peers) that give all routes of the family. */
  readonly fullFeeds: Readonly<Record<typeof IPV4 | typeof IPV6, number>>;
}

/** Reads the families of paths, and who gives a full feed of each, out of the entries. */
export function familiesOf(rib: Rib): Families {
  const { starts, peers, paths } = rib.entries;
  const ofPaths = new Uint8Array(rib.paths.offsets.length - 1);
  const prefixCounts = {
    [IPV4]: new Uint32Array(rib.peers.asns.length),
    [IPV6]: new Uint32Array(rib.peers.asns.length),
  };
  for (let prefix = 0; prefix < rib.prefixes.lengths.length; prefix++) {
    const family = familyOfPrefix(rib, prefix);
    const counts = prefixCounts[family];
    const end = starts[prefix + 1]!;
    let last = -1;
    for (let entry = starts[prefix]!; entry < end; entry++) {
      ofPaths[paths[entry]!]! |= family;
      if (peers[entry] !== last) counts[peers[entry]!]!++;
      last = peers[entry]!;
    }
  }
  const countOf = (family: typeof IPV4 | typeof IPV6) => countFullFeeds(prefixCounts[family], rib.peers.asns);
  return { ofPaths, fullFeeds: { [IPV4]: countOf(IPV4), [IPV6]: countOf(IPV6) } };
}

function familyOfPrefix(rib: Rib, prefix: number): typeof IPV4 | typeof IPV6 {
  const address = rib.prefixes.addresses.subarray(prefix * 4, prefix * 4 + 4);
  return prefixFamily(address, rib.prefixes.lengths[prefix]!) === 4 ? IPV4 : IPV6;
}

function countFullFeeds(prefixCounts: Uint32Array, asns: Uint32Array): number {
  const most = prefixCounts.reduce((largest, count) => Math.max(largest, count), 0);
  if (most === 0) return 0;
  return new Set(asns.filter((_, peer) => prefixCounts[peer]! >= most * FULL_FEED_SHARE)).size;
}
