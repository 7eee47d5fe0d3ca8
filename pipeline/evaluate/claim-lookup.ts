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

/**
 * Finds what the feeds claim about single addresses. Each claim is resolved once, on first use, and addresses with the
 * same claims share one list.
 */
export class ClaimLookup {
  readonly #feeds: readonly (FeedClaims & { readonly resolved: (ResolvedClaim | null)[] })[];
  readonly #resolver: ClaimResolver;
  /** By the record ids in the tables. */
  readonly #lists = new Map<string, readonly ResolvedClaim[]>();

  constructor(feeds: readonly FeedClaims[], places: Places) {
    this.#feeds = feeds.map((feed) => ({ ...feed, resolved: [] }));
    this.#resolver = new ClaimResolver(places);
  }

  /** Returns the claims about an address, at most one per feed. */
  at(address: Address): readonly ResolvedClaim[] {
    const recordIds = this.#feeds.map(({ table }) => table.lookup(address)?.recordId);
    const key = recordIds.join(' ');
    let list = this.#lists.get(key);
    if (!list) this.#lists.set(key, (list = this.#resolve(recordIds)));
    return list;
  }

  #resolve(recordIds: readonly (number | undefined)[]): ResolvedClaim[] {
    return this.#feeds.flatMap(({ feed, claims, resolved }, index) => {
      const recordId = recordIds[index];
      if (recordId === undefined) return [];
      const claim = (resolved[recordId] ??= this.#resolver.resolve(feed, claims[recordId]!) ?? null);
      return claim ?? [];
    });
  }
}
