import type { ClaimSink } from '../input/claims/claim-sink.js';
import type { OpenFile, PublishedSource } from '../input/published-source.js';
import type { NormaliseContext } from '../input/routing-source.js';
import type { ListClaim } from './list-claim.js';

/**
 * A published list of proxies, exits, threats, clouds or carriers. Each is a constant, listed in `catalogue.ts`. A new
 * list touches four places: its file here with a test, `catalogue.ts`, a folder in `fixtures/feeds`, and
 * `proxy/allow-scopes.ts` if operators may disable it.
 */
export interface List extends PublishedSource {
  /** The maximum age in days of a copy that could not be refreshed. */
  readonly maxAgeDays: number;
  /** Inserts IPv4-mapped rows (::ffff:0:0/96) as IPv4. By default they are dropped. */
  readonly foldMapped?: boolean;
  /** The names of the layers. A list without internal precedence has one. */
  readonly layers: readonly string[];
  /** Combines the claims of the layers for one network; a pure function. Entry i is the claim of layer i. */
  combine(claims: readonly (ListClaim | undefined)[]): ListClaim | undefined;
  /**
   * Reads every row of every file into its sink. Calls `sinkFor(file)` once per file, before its first row. Throws
   * FeedError when a file is unusable as a whole, RefusedFiles for several.
   */
  read(
    files: readonly OpenFile[],
    sinkFor: (file: OpenFile) => ListSink,
    context: ListContext,
  ): Promise<void>;
}

/** The context that the build provides to the reader of a list. */
export type ListContext = Pick<NormaliseContext, 'log'>;

/**
 * Receives the rows of a file of a list. When a prefix occurs twice in one layer, the first row is kept: a reader with
 * ranks sorts its rows first. Throws FeedError `too-wide` for a prefix shorter than /8 in IPv4 or /16 in IPv6.
 */
export interface ListSink extends ClaimSink<ListClaim> {
  /** Inserts a row about a whole autonomous system. The first row for a number is kept. */
  asn(asn: number, claim: ListClaim, position: number): void;
  /** Counts a valid row that is not used, such as an offline server: accepted, with the note `skipped`. */
  skip(): void;
}

/** Combines the claims of a list with one layer. */
export function onlyLayer(claims: readonly (ListClaim | undefined)[]): ListClaim | undefined {
  return claims[0];
}
