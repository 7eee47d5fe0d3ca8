import { DROPPED_CLAIMS, GEO_COUNTERS } from '../release/geo-counters.js';
import type { Claim } from '../input/claims/claim.js';
import type { FeedId } from '../feeds/feed-id.js';
import type { FeedTable } from '../merge/merge-tables.js';
import { LEAVE_OUT_FREE_SPACE } from '../merge/precedence.js';
import type { Address } from '../net/address.js';
import { prefixFamily } from '../net/prefix.js';
import { AddressCount } from '../table/address-count.js';
import type { FlatTable } from '../table/flat-table.js';
import { relabel } from '../table/relabel.js';
import { isNode, NONE, recordIdOf } from '../table/slots.js';
import { ABSENT } from '../table/zip.js';

/** A feed's table, and what its claims say about use, by claim id: see `usesOf`. */
export interface UsedTable extends FeedTable {
  readonly uses: Uint8Array;
}

/** The merged table, and whether a record has a country. */
export interface LocatedTable {
  readonly table: FlatTable;
  readonly hasCountry: (recordId: number) => boolean;
}

/** Returns a set of HAS_COUNTRY and IS_FREE for each claim. */
export function usesOf(claims: readonly Claim[]): Uint8Array {
  return Uint8Array.from(claims, ({ country, basis }) => {
    return (country === undefined ? 0 : HAS_COUNTRY) | (basis === 'not-delegated' ? IS_FREE : 0);
  });
}

const HAS_COUNTRY = 1;
const IS_FREE = 2;

/**
 * Counts the addresses that registries list as available or reserved, with and without a country in the merged table,
 * and the networks of each feed in them whose claims were dropped. Returns no counters if no registry lists any.
 */
export function countFreeSpace(
  feeds: readonly UsedTable[],
  { table, hasCountry }: LocatedTable,
): Record<string, number> {
  const [free, used] = [new AddressCount(), new AddressCount()];
  const dropped = new Map<FeedId, number>();
  let networks = 0;
  const others = feeds.filter(({ feed }) => !LEAVE_OUT_FREE_SPACE.includes(feed));
  for (const listing of feeds) {
    const { uses } = listing;
    if (!uses.some((use) => (use & IS_FREE) !== 0)) continue;
    listing.table.forEach((address, length, claimId) => {
      if ((uses[claimId]! & IS_FREE) === 0) return;
      networks++;
      const family = prefixFamily(address, length);
      forEachPart(table, { address, length }, (id, partLength) => {
        (id !== undefined && hasCountry(id) ? used : free).add(partLength, family);
      });
      for (const { feed, table, uses } of others) {
        forEachPart(table, { address, length }, (id) => {
          if (id === undefined || (uses[id]! & HAS_COUNTRY) === 0) return;
          dropped.set(feed, (dropped.get(feed) ?? 0) + 1);
        });
      }
    });
  }
  if (networks === 0) return {};
  return {
    [GEO_COUNTERS.freeIpv4]: free.ipv4Addresses,
    [GEO_COUNTERS.freeIpv6]: free.ipv6Slash64s,
    [GEO_COUNTERS.usedIpv4]: used.ipv4Addresses,
    [GEO_COUNTERS.usedIpv6]: used.ipv6Slash64s,
    ...Object.fromEntries([...dropped].map(([feed, count]) => [`${DROPPED_CLAIMS}${feed}`, count])),
  };
}

/** Removes the networks of a feed of which it says nothing but that they are not delegated. */
export function withoutFreeSpace(table: FlatTable, claims: readonly Claim[]): FlatTable {
  const ids = claims.map(({ basis, isp }, id) => {
    return basis === 'not-delegated' && isp === undefined ? ABSENT : id;
  });
  return ids.includes(ABSENT) ? relabel(table, ids) : table;
}

/** Calls `visit` for the networks of a table in a prefix, cut to it, and for the gaps between them. */
function forEachPart(
  table: FlatTable,
  { address, length }: { readonly address: Address; readonly length: number },
  visit: (recordId: number | undefined, length: number) => void,
): void {
  const descend = (slot: number, depth: number): void => {
    if (isNode(slot)) {
      descend(table.slots[2 * slot]!, depth + 1);
      descend(table.slots[2 * slot + 1]!, depth + 1);
    } else visit(slot === NONE ? undefined : recordIdOf(slot), depth);
  };
  descend(table.slotOfPrefix(address, length), length);
}
