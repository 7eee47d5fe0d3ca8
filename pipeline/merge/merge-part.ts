import type { FeedId } from '../feeds/feed-id.js';
import type { AddressPart } from '../table/divide.js';
import { isAlongIpv4 } from '../table/ipv4-space.js';
import { relabelBelow } from '../table/relabel.js';
import type { Block, DividedTable, Subtree } from '../table/subtree.js';
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
    return joint.intern();
  };
  for (const block of blocks) {
    const below = feeds.map(({ table }) => table.below(block));
    const depth = block.length;
    const countAddresses = isAlongIpv4(block) ? editions[0]!.countAddresses : undefined;
    const zipped = zipBelow(below, { depth, combine, countAddresses });
    for (const [i, edition] of editions.entries()) {
      edition.subtrees.push({ ...relabelBelow(zipped, depth, joint.columns[i]!), block });
    }
    onNodes(below.reduce((sum, { nodeCount }) => sum + nodeCount, 0));
  }
  return editions.map((edition) => edition.finish(feeds));
}

/** Returns the least support of a region in files with claims of these feeds. */
export function leastRegionWeightOf(feeds: { has(feed: FeedId): boolean }): number {
  return feeds.has('geolite2') ? LEAST_PLACE_WEIGHT : LEAST_REGION_WEIGHT_WITHOUT_GEOLITE2;
}

/** Decides for one edition, once per distinct combination of resolved claims, and numbers the distinct locations. */
class EditionMerge {
  readonly subtrees: MergedPart['subtrees'][number][] = [];
  readonly #claims: readonly (ResolvedClaims | undefined)[];
  readonly #memo: TupleMemo;
  readonly #combination: Int32Array;
  readonly #locations = new LocationTable();
  readonly #leastRegionWeight: number;
  /** IPv4 addresses by position in the memo. */
  readonly #addresses: (number | undefined)[] = [];

  constructor(feeds: readonly MergedFeed[], edition: number) {
    this.#claims = feeds.map(({ editions }) => editions[edition]);
    this.#combination = new Int32Array(feeds.length);
    this.#memo = new TupleMemo(feeds.length);
    const present = feeds.filter((_, i) => this.#claims[i] !== undefined).map(({ feed }) => feed);
    this.#leastRegionWeight = leastRegionWeightOf(new Set(present));
  }

  /** Returns the location id for one claim id per table; ABSENT if nothing can be decided. */
  locationOf(claimIds: Int32Array): number {
    const combination = this.#combination;
    for (let i = 0; i < combination.length; i++) {
      const claimId = claimIds[i]!;
      combination[i] = claimId === ABSENT ? ABSENT : (this.#claims[i]?.ids[claimId] ?? ABSENT);
    }
    // TupleMemo returns unsigned integers; ABSENT is -1.
    return this.#memo.resolve(combination, this.#decide) | 0;
  }

  /** Adds the IPv4 addresses with one claim id per table. */
  readonly countAddresses = (claimIds: Int32Array, addresses: number): void => {
    this.locationOf(claimIds);
    const position = this.#memo.last;
    this.#addresses[position] = (this.#addresses[position] ?? 0) + addresses;
  };

  finish(feeds: readonly MergedFeed[]): MergedPart {
    const locations = this.#locations.columns();
    const counts = new AgreementCounts(
      feeds.map(({ feed }) => feed),
      new LocationReader(locations),
    );
    const memo = this.#memo;
    for (const [position, addresses] of this.#addresses.entries()) {
      if (addresses === undefined) continue;
      const claims = this.#claims.map((all, i) => {
        const id = memo.at(position, i);
        return id === ABSENT ? undefined : all!.at(id);
      });
      counts.add(claims, memo.answerAt(position) | 0, addresses);
    }
    return { subtrees: this.subtrees, locations, decisions: memo.size, agreement: counts.counters() };
  }

  readonly #decide = (): number => {
    const claims: ResolvedClaim[] = [];
    for (let i = 0; i < this.#combination.length; i++) {
      const id = this.#combination[i]!;
      if (id !== ABSENT) claims.push(this.#claims[i]!.at(id));
    }
    const location = decideLocation(claims, this.#leastRegionWeight);
    return location ? this.#locations.intern(location) : ABSENT;
  };
}

/** Ids of the distinct combinations of one location id per edition. */
class JointIds {
  /** The current combination. Fill it before `intern`. */
  readonly parts: Int32Array;
  /** By edition: the location ids by joint id. */
  readonly columns: readonly number[][];
  readonly #memo: TupleMemo;
  #count = 0;

  constructor(width: number) {
    this.parts = new Int32Array(width);
    this.#memo = new TupleMemo(width);
    this.columns = Array.from({ length: width }, () => []);
  }

  /** Returns the id of the current combination; ABSENT if every part is ABSENT. */
  intern(): number {
    if (this.parts.every((part) => part === ABSENT)) return ABSENT;
    return this.#memo.resolve(this.parts, this.#add);
  }

  readonly #add = (): number => {
    this.columns.forEach((column, i) => column.push(this.parts[i]!));
    return this.#count++;
  };
}
