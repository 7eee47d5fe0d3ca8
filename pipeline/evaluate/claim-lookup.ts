import type { FeedId } from '../feeds/feed-id.js';
import type { Claim } from '../input/claims/claim.js';
import type { Places } from '../merge/places.js';
import { ClaimResolver } from '../merge/claim-resolver.js';
import type { ResolvedClaim } from '../merge/resolved-claim.js';
import type { Address } from '../net/address.js';
import type { FlatTable } from '../table/flat-table.js';

/** The normalised table of a feed, and its claims with places resolved; index = record id. */
export interface FeedClaims {
  readonly feed: FeedId;
  readonly table: FlatTable;
  readonly claims: readonly Claim[];
}

/** The table of a feed, and its resolved claims by record id. */
export interface LookedUpFeed {
  readonly table: FlatTable;
  /** Returns undefined for a claim that says nothing about the place. */
  claimOf(recordId: number): ResolvedClaim | undefined;
}

/** Returns feeds whose claims are resolved on first use, once each. */
export function resolvedOnUse(feeds: readonly FeedClaims[], places: Places): LookedUpFeed[] {
  const resolver = new ClaimResolver(places);
  return feeds.map(({ feed, table, claims }) => {
    const resolved = new Map<number, ResolvedClaim | undefined>();
    const claimOf = (id: number): ResolvedClaim | undefined => {
      if (!resolved.has(id)) resolved.set(id, resolver.resolve(feed, claims[id]!));
      return resolved.get(id);
    };
    return { table, claimOf };
  });
}

/** Finds what the feeds claim about single addresses. Addresses with the same claims share one list. */
export class ClaimLookup {
  readonly #feeds: readonly LookedUpFeed[];
  /** By the record ids in the tables. */
  readonly #lists = new Map<string, readonly ResolvedClaim[]>();

  constructor(feeds: readonly LookedUpFeed[]) {
    this.#feeds = feeds;
  }

  /** Returns the claims about an address, at most one per feed. */
  at(address: Address): readonly ResolvedClaim[] {
    const recordIds = this.#feeds.map(({ table }) => table.lookup(address)?.recordId);
    const key = recordIds.join(' ');
    let list = this.#lists.get(key);
    if (!list) this.#lists.set(key, (list = this.#claimsOf(recordIds)));
    return list;
  }

  #claimsOf(recordIds: readonly (number | undefined)[]): ResolvedClaim[] {
    return this.#feeds.flatMap((feed, index) => {
      const recordId = recordIds[index];
      return recordId === undefined ? [] : (feed.claimOf(recordId) ?? []);
    });
  }
}
