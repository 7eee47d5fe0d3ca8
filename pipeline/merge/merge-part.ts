import type { FeedId } from '../feeds/feed-id.js';
import type { AddressPart } from '../table/divide.js';
import { isAlongIpv4 } from '../table/ipv4-space.js';
import { relabelBelow } from '../table/relabel.js';
import type { Block, DividedTable, Subtree } from '../table/subtree.js';
import { Uint32Column } from '../table/slots.js';
import { TupleMemo } from '../table/tuple-memo.js';
import { ABSENT, zipBelow } from '../table/zip.js';
import { AgreementCounts } from './agreement-counts.js';
import { decideLocation } from './location.js';
import { LocationReader, LocationTable, type LocationColumns } from './location-table.js';
import { LEAST_PLACE_WEIGHT, LEAST_REGION_WEIGHT_WITHOUT_GEOLITE2 } from './precedence.js';
import type { ResolvedClaim } from './resolved-claim.js';
import type { ResolvedClaims } from './resolved-claims.js';

/** One feed's table and its claims in every edition. Entry i belongs to edition i. */
export interface MergedFeed {
  readonly feed: FeedId;
  readonly table: DividedTable;
  /** Undefined where the feed is not in the edition. */
  readonly editions: readonly (ResolvedClaims | undefined)[];
}

/** One edition of a part of the address space. The record ids of the subtrees are those of the locations. */
export interface MergedPart {
  readonly subtrees: readonly (Subtree & { readonly block: Block })[];
  readonly locations: LocationColumns;
  /** The number of distinct combinations of claims that were decided. */
  readonly decisions: number;
  /** Counts of IPv4 addresses for `AGREEMENT`, which add up over parts; empty except for the first edition. */
  readonly agreement: Readonly<Record<string, number>>;
}

/**
 * Merges a part of the address space in one walk for all editions. The feeds are in the order of FEED_IDS. Calls
 * `onNodes` with the number of nodes that were read. Entry i of the result belongs to edition i.
 */
export function mergePart(
  feeds: readonly MergedFeed[],
  { blocks }: AddressPart,
  onNodes: (nodes: number) => void = () => undefined,
): MergedPart[] {
  const editions = feeds[0]?.editions.map((_, i) => new EditionMerge(feeds, i)) ?? [];
  const joint = new JointIds(editions.length);
  const combine = (claimIds: Int32Array): number => {
    for (let i = 0; i < editions.length; i++) joint.parts[i] = editions[i]!.locationOf(claimIds);
    return joint.number();
  };
  for (const block of blocks) {
    const below = feeds.map(({ table }) => table.below(block));
    const depth = block.length;
    const countAddresses = isAlongIpv4(block) ? editions[0]!.countAddresses : undefined;
    const zipped = zipBelow(below, { depth, combine, countAddresses });
    for (const [i, edition] of editions.entries()) {
      edition.subtrees.push({ ...relabelBelow(zipped, depth, joint.columnOf(i)), block });
    }
    onNodes(below.reduce((sum, { nodeCount }) => sum + nodeCount, 0));
  }
  return editions.map((edition) => edition.finish());
}

/** Returns the least support of a region in files with claims of these feeds. */
export function leastRegionWeightOf(feeds: { has(feed: FeedId): boolean }): number {
  return feeds.has('geolite2') ? LEAST_PLACE_WEIGHT : LEAST_REGION_WEIGHT_WITHOUT_GEOLITE2;
}

/** Decides for one edition, once per distinct combination of resolved claims, and numbers the distinct locations. */
class EditionMerge {
  readonly subtrees: MergedPart['subtrees'][number][] = [];
  /** The feeds of the edition, the positions of their tables, and their claims. */
  readonly #feeds: readonly FeedId[];
  readonly #tables: readonly number[];
  readonly #claims: readonly ResolvedClaims[];
  readonly #memo: TupleMemo;
  readonly #combination: Int32Array;
  readonly #locations = new LocationTable();
  readonly #leastRegionWeight: number;
  /** The claims of the current combination, one per feed. */
  readonly #current: (ResolvedClaim | undefined)[];
  readonly #counts: AgreementCounts;
  /** The kinds of agreement by position in the memo. */
  readonly #kinds = new Uint32Column();

  constructor(feeds: readonly MergedFeed[], edition: number) {
    const present = feeds.flatMap(({ feed, editions }, table) => {
      const claims = editions[edition];
      return claims ? [{ feed, table, claims }] : [];
    });
    this.#feeds = present.map(({ feed }) => feed);
    this.#tables = present.map(({ table }) => table);
    this.#claims = present.map(({ claims }) => claims);
    this.#combination = new Int32Array(present.length);
    this.#current = present.map(() => undefined);
    this.#memo = new TupleMemo(present.length);
    this.#counts = new AgreementCounts(this.#feeds);
    this.#leastRegionWeight = leastRegionWeightOf(new Set(this.#feeds));
  }

  /** Returns the location id for one claim id per table; ABSENT if nothing can be decided. */
  locationOf(claimIds: Int32Array): number {
    const combination = this.#combination;
    for (let i = 0; i < combination.length; i++) {
      const claimId = claimIds[this.#tables[i]!]!;
      combination[i] = claimId === ABSENT ? ABSENT : this.#claims[i]!.ids[claimId]!;
    }
    // TupleMemo returns unsigned integers; ABSENT is -1.
    return this.#memo.resolve(combination, this.#decide) | 0;
  }

  /** Adds the IPv4 addresses with one claim id per table. */
  readonly countAddresses = (claimIds: Int32Array, addresses: number): void => {
    const locationId = this.locationOf(claimIds);
    this.#counts.add(this.#kinds.values[this.#memo.last]!, locationId, addresses);
  };

  finish(): MergedPart {
    const locations = this.#locations.columns();
    const agreement = this.#counts.counters(new LocationReader(locations));
    return { subtrees: this.subtrees, locations, decisions: this.#memo.size, agreement };
  }

  readonly #decide = (): number => {
    const claims: ResolvedClaim[] = [];
    for (let i = 0; i < this.#combination.length; i++) {
      const id = this.#combination[i]!;
      const claim = id === ABSENT ? undefined : this.#claims[i]!.view(id);
      this.#current[i] = claim;
      if (claim) claims.push(claim);
    }
    this.#kinds.reserve(1);
    this.#kinds.values[this.#kinds.length++] = this.#counts.kindOf(this.#current);
    const location = decideLocation(claims, this.#leastRegionWeight);
    return location ? this.#locations.intern(location) : ABSENT;
  };
}

/** Ids of the distinct combinations of one location id per edition. */
class JointIds {
  /** The current combination. Fill it before `number`. */
  readonly parts: Int32Array;
  readonly #memo: TupleMemo;

  constructor(width: number) {
    this.parts = new Int32Array(width);
    this.#memo = new TupleMemo(width);
  }

  /** Returns the id of the current combination; ABSENT if every part is ABSENT. */
  number(): number {
    for (const part of this.parts) if (part !== ABSENT) return this.#memo.number(this.parts);
    return ABSENT;
  }

  /** Returns the location ids of an edition by joint id. */
  columnOf(edition: number): Int32Array {
    const column = new Int32Array(this.#memo.size);
    for (let id = 0; id < column.length; id++) column[id] = this.#memo.at(id, edition);
    return column;
  }
}
