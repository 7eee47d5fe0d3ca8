import type { Claim } from '../input/claims/claim.js';
import { FEED_IDS, type FeedId } from '../feeds/feed-id.js';
import type { FlatTable } from '../table/flat-table.js';
import { TupleMemo } from '../table/tuple-memo.js';
import { ABSENT, zip } from '../table/zip.js';
import { decideLocation, type Location } from './location.js';
import { LocationTable } from './location-table.js';
import type { Places } from './places.js';
import { LEAST_PLACE_WEIGHT, LEAST_REGION_WEIGHT_WITHOUT_GEOLITE2 } from './precedence.js';
import { ClaimResolver, type ResolvedClaim } from './resolved-claim.js';
import { ResolvedClaimTable } from './resolved-claim-table.js';

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
}

/**
 * Merges the feeds' tables in one walk for all editions. Tables may be in any order, at most one per feed. Entry i of
 * the result belongs to edition i.
 */
export function mergeTables(tables: readonly FeedTable[], editions: readonly Edition[]): MergedTable[] {
  const ordered = [...tables].sort((a, b) => FEED_IDS.indexOf(a.feed) - FEED_IDS.indexOf(b.feed));
  const feeds = ordered.map(({ feed }) => feed);
  const merges = editions.map((edition) => new EditionMerge(feeds, edition));
  const flat = ordered.map(({ table }) => table);
  const [only] = merges;
  if (only && merges.length === 1) {
    return [only.finish(zip(flat, (claimIds) => only.locationOf(claimIds)))];
  }
  const joint = new JointIds(merges.length);
  const table = zip(flat, (claimIds) => {
    for (let i = 0; i < merges.length; i++) joint.parts[i] = merges[i]!.locationOf(claimIds);
    return joint.intern();
  });
  return merges.map((merge, i) => merge.finish(zip([table], ([id]) => joint.partOf(id!, i))));
}

/** Decides for one edition, once per distinct combination of resolved claims, and numbers the distinct locations. */
class EditionMerge {
  /** Distinct resolved claims per table. */
  readonly #resolved: readonly (readonly ResolvedClaim[])[];
  /** By claim id: the index of its resolved claim, or ABSENT for claims without a country. */
  readonly #resolvedIds: readonly Int32Array[];
  readonly #memo: TupleMemo;
  readonly #combination: Int32Array;
  readonly #locations = new LocationTable();
  readonly #leastRegionWeight: number;

  constructor(feeds: readonly FeedId[], { claims, places }: Edition) {
    const resolver = new ClaimResolver(places);
    const tables = feeds.map((feed) => resolveAll(feed, claims.get(feed) ?? [], resolver));
    this.#resolved = tables.map(({ resolved }) => resolved);
    this.#resolvedIds = tables.map(({ ids }) => ids);
    this.#combination = new Int32Array(feeds.length);
    this.#memo = new TupleMemo(feeds.length);
    this.#leastRegionWeight = leastRegionWeightOf(claims);
  }

  /** Returns the location id for one claim id per table; ABSENT if nothing can be decided. */
  locationOf(claimIds: Int32Array): number {
    const combination = this.#combination;
    for (let i = 0; i < combination.length; i++) {
      const claimId = claimIds[i]!;
      combination[i] = claimId === ABSENT ? ABSENT : (this.#resolvedIds[i]![claimId] ?? ABSENT);
    }
    // TupleMemo returns unsigned integers; ABSENT is -1.
    return this.#memo.resolve(combination, this.#decide) | 0;
  }

  finish(table: FlatTable): MergedTable {
    return { table, locations: this.#locations.locations, decisions: this.#memo.size };
  }

  readonly #decide = (): number => {
    const claims: ResolvedClaim[] = [];
    for (let i = 0; i < this.#combination.length; i++) {
      const id = this.#combination[i]!;
      if (id !== ABSENT) claims.push(this.#resolved[i]![id]!);
    }
    const location = decideLocation(claims, this.#leastRegionWeight);
    return location ? this.#locations.intern(location) : ABSENT;
  };
}

function resolveAll(
  feed: FeedId,
  claims: readonly Claim[],
  resolver: ClaimResolver,
): { readonly resolved: readonly ResolvedClaim[]; readonly ids: Int32Array } {
  const table = new ResolvedClaimTable();
  const ids = new Int32Array(claims.length).fill(ABSENT);
  for (let claimId = 0; claimId < claims.length; claimId++) {
    const claim = resolver.resolve(feed, claims[claimId]!);
    if (claim) ids[claimId] = table.intern(claim);
  }
  return { resolved: table.claims, ids };
}

/** Ids of the distinct combinations of one location id per edition. */
class JointIds {
  /** The current combination. Fill it before `intern`. */
  readonly parts: Int32Array;
  readonly #memo: TupleMemo;
  readonly #columns: number[][];
  #count = 0;

  constructor(width: number) {
    this.parts = new Int32Array(width);
    this.#memo = new TupleMemo(width);
    this.#columns = Array.from({ length: width }, () => []);
  }

  /** Returns the id of the current combination; ABSENT if every part is ABSENT. */
  intern(): number {
    if (this.parts.every((part) => part === ABSENT)) return ABSENT;
    return this.#memo.resolve(this.parts, this.#add);
  }

  /** Returns the location id of one edition in a combination. */
  partOf(id: number, column: number): number {
    return this.#columns[column]![id]!;
  }

  readonly #add = (): number => {
    this.#columns.forEach((column, i) => column.push(this.parts[i]!));
    return this.#count++;
  };
}

/** Returns the least support of a region in files with claims of these feeds. */
export function leastRegionWeightOf(feeds: { has(feed: FeedId): boolean }): number {
  return feeds.has('geolite2') ? LEAST_PLACE_WEIGHT : LEAST_REGION_WEIGHT_WITHOUT_GEOLITE2;
}
