import type { ClaimSink, FeedFile, Licence, OpenFile } from '../feeds/feed.js';
import type { SourceReading } from '../feeds/source.js';
import type { ListClaim } from './list-claim.js';

/**
 * One published list of proxies, exits, threats, clouds or carriers. A constant of this shape; adding a list is a
 * file, a fixture folder and a line in the catalogue.
 */
export interface List {
  readonly id: string;
  readonly publisher: string;
  readonly licence: Licence;
  readonly files: readonly FeedFile[];
  /** How often the publisher renews it, for people. */
  readonly cadence: string;
  /** Raised with every change that makes the same files read differently; part of the cache key. */
  readonly version: number;
  /** Share of rejected rows of one file, 0..1, above which that file is refused. */
  readonly tolerance: number;
  /** Days after which a copy that could not be renewed is believed no more. */
  readonly maxAgeDays: number;
  /** IPv4-mapped rows (::ffff:0:0/96) are folded to IPv4; else they are dropped. */
  readonly foldMapped?: boolean;
  /** Names of the layers rows go to. One layer for a list without inner precedence. */
  readonly layers: readonly string[];
  /** Joins what the layers say about one network; a pure function. Entry i belongs to layer i. */
  combine(claims: readonly (ListClaim | undefined)[]): ListClaim | undefined;
  /**
   * Reads every row of every file into the sink, calling `sinkFor(file)` once per file before its first row. Throws
   * FeedError (with the file's id) when a file is unusable as a whole, RefusedFiles for several.
   */
  read(
    files: readonly OpenFile[],
    sinkFor: (file: OpenFile) => ListSink,
    reading: ListReading,
  ): Promise<void>;
}

/** What a list's reader may know besides. */
export type ListReading = Pick<SourceReading, 'log'>;

/**
 * Where a list's rows go; of a prefix that is named twice in one layer the first row is kept, so a reader with ranks
 * sorts before it inserts. A prefix wider than any operator's (shorter than /8, in IPv6 than /16) throws FeedError
 * `too-wide`.
 */
export interface ListSink extends ClaimSink<ListClaim> {
  /** A row about a whole autonomous system. The first row for a number is kept. */
  asn(asn: number, claim: ListClaim, position: number): void;
  /** A good row that is not wanted (a server that is switched off): counted, noted as skipped, not inserted. */
  skip(): void;
}

/** For a list of one layer. */
export function onlyLayer(claims: readonly (ListClaim | undefined)[]): ListClaim | undefined {
  return claims[0];
}
