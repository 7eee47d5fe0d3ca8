import type { Claim } from '../feeds/claim.js';
import { FEED_IDS, type FeedId } from '../feeds/feed-id.js';
import type { FlatTable } from '../table/flat-table.js';
import { TupleMemo } from '../table/tuple-memo.js';
import { ABSENT, zip } from '../table/zip.js';
import { decide, type Location } from './location.js';
import { LocationTable } from './location-table.js';
import type { Places } from './places.js';
import { StatementMaker, type Statement } from './statement.js';
import { StatementTable } from './statement-table.js';

/** One feed's normalised table. Its ids index the feed's claims, in each edition. */
export interface FeedTable {
  readonly feed: FeedId;
  readonly table: FlatTable;
}

/** Which feeds a dataset is made from, and by whose names: the served one from all, the downloadable one from some. */
export interface Edition {
  readonly places: Places;
  /** Resolved claims; index = id in that feed's table. Feeds outside the edition are absent and have no influence. */
  readonly claims: ReadonlyMap<FeedId, readonly Claim[]>;
}

/** The merged table and the locations its ids stand for. */
export interface MergedTable {
  readonly table: FlatTable;
  readonly locations: readonly Location[];
  /** Distinct combinations of statements that were decided. */
  readonly decisions: number;
}

/**
 * Merges the feeds' tables, in any order and at most one per feed, in one walk for all editions: entry i of the result
 * belongs to edition i.
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

/** Decides for one edition, each distinct combination of statements once, and numbers the distinct locations. */
class EditionMerge {
  /** Statements of each table; the same number for claims that say the same to the merge. */
  readonly #statements: readonly (readonly Statement[])[];
  /** The statement of each claim, ABSENT for claims that say nothing. */
  readonly #statementIds: readonly Int32Array[];
  readonly #memo: TupleMemo;
  readonly #heard: Int32Array;
  readonly #locations = new LocationTable();

  constructor(feeds: readonly FeedId[], { claims, places }: Edition) {
    const maker = new StatementMaker(places);
    const stated = feeds.map((feed) => stateAll(feed, claims.get(feed) ?? [], maker));
    this.#statements = stated.map(({ statements }) => statements);
    this.#statementIds = stated.map(({ ids }) => ids);
    this.#heard = new Int32Array(feeds.length);
    this.#memo = new TupleMemo(feeds.length);
  }

  /** The number of the location that follows from a claim of each table; ABSENT when nobody says anything. */
  locationOf(claimIds: Int32Array): number {
    const heard = this.#heard;
    for (let i = 0; i < heard.length; i++) {
      const claimId = claimIds[i]!;
      heard[i] = claimId === ABSENT ? ABSENT : (this.#statementIds[i]![claimId] ?? ABSENT);
    }
    // The memo answers with unsigned integers.
    return this.#memo.resolve(heard, this.#decide) | 0;
  }

  finish(table: FlatTable): MergedTable {
    return { table, locations: this.#locations.locations, decisions: this.#memo.size };
  }

  readonly #decide = (): number => {
    const statements: Statement[] = [];
    for (let i = 0; i < this.#heard.length; i++) {
      const id = this.#heard[i]!;
      if (id !== ABSENT) statements.push(this.#statements[i]![id]!);
    }
    const location = decide(statements);
    return location ? this.#locations.intern(location) : ABSENT;
  };
}

function stateAll(
  feed: FeedId,
  claims: readonly Claim[],
  maker: StatementMaker,
): { readonly statements: readonly Statement[]; readonly ids: Int32Array } {
  const table = new StatementTable();
  const ids = new Int32Array(claims.length).fill(ABSENT);
  for (let claimId = 0; claimId < claims.length; claimId++) {
    const statement = maker.make(feed, claims[claimId]!);
    if (statement) ids[claimId] = table.intern(statement);
  }
  return { statements: table.statements, ids };
}

/** Numbers for distinct combinations of one location id per edition. */
class JointIds {
  /** The combination at hand, to be filled before `intern`. */
  readonly parts: Int32Array;
  readonly #memo: TupleMemo;
  readonly #columns: number[][];
  #count = 0;

  constructor(width: number) {
    this.parts = new Int32Array(width);
    this.#memo = new TupleMemo(width);
    this.#columns = Array.from({ length: width }, () => []);
  }

  /** The number of the combination at hand; ABSENT when every part is. */
  intern(): number {
    if (this.parts.every((part) => part === ABSENT)) return ABSENT;
    return this.#memo.resolve(this.parts, this.#add);
  }

  partOf(id: number, column: number): number {
    return this.#columns[column]![id]!;
  }

  readonly #add = (): number => {
    this.#columns.forEach((column, i) => column.push(this.parts[i]!));
    return this.#count++;
  };
}
