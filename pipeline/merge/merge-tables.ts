import type { Claim } from '../input/claims/claim.js';
import { FEED_IDS, type FeedId } from '../feeds/feed-id.js';
import { divideSpace } from '../table/divide.js';
import { FlatTable } from '../table/flat-table.js';
import { dividedTable } from '../table/subtree.js';
import type { Location } from './location.js';
import { joinParts } from './join-parts.js';
import { mergePart } from './merge-part.js';
import type { Places } from './places.js';
import { resolveClaims } from './resolved-claims.js';

/** One feed's normalised table. Its ids are indexes into the feed's claims in every edition. */
export interface FeedTable {
  readonly feed: FeedId;
  readonly table: FlatTable;
}

/** The input of one output file: the API's edition uses all feeds, the downloadable edition only some. */
export interface Edition {
  readonly places: Places;
  /** Claims with place ids; index = id in that feed's table. Feeds outside the edition are absent. */
  readonly claims: ReadonlyMap<FeedId, readonly Claim[]>;
}

/** A merged table; its ids are indexes into `locations`. */
export interface MergedTable {
  readonly table: FlatTable;
  readonly locations: readonly Location[];
  /** The number of distinct combinations of claims that were decided. */
  readonly decisions: number;
  /** Counters of IPv4 addresses; see `AGREEMENT`. */
  readonly agreement: Readonly<Record<string, number>>;
}

/**
 * Merges the feeds' tables for all editions, in any number of parts, in this thread and in memory. Tables may be in any
 * order, at most one per feed. Entry i of the result belongs to edition i.
 */
export function mergeTables(
  tables: readonly FeedTable[],
  editions: readonly Edition[],
  parts = 1,
): MergedTable[] {
  const ordered = [...tables].sort((a, b) => FEED_IDS.indexOf(a.feed) - FEED_IDS.indexOf(b.feed));
  const feeds = ordered.map(({ feed, table }) => ({
    feed,
    table: dividedTable(table),
    editions: editions.map(({ claims, places }) => {
      const own = claims.get(feed);
      return own && resolveClaims(feed, own, places);
    }),
  }));
  if (feeds.length === 0)
    return editions.map(() => ({ table: FlatTable.empty(), locations: [], decisions: 0, agreement: {} }));
  const division = divideSpace(
    feeds.map(({ table }) => table),
    parts,
  );
  const merged = division.map((part) => mergePart(feeds, part));
  return editions.map((_, i) => {
    const own = merged.map((part) => part[i]!);
    const { table, locations, agreement } = joinParts(own);
    return {
      table,
      locations: Array.from({ length: locations.length }, (_, id) => locations.at(id)),
      decisions: own.reduce((sum, { decisions }) => sum + decisions, 0),
      agreement,
    };
  });
}
