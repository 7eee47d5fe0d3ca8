import type { Claim } from '../input/claims/claim.js';
import type { ClaimSink } from '../input/claims/claim-sink.js';
import type { Licence, OpenFile, PublishedSource } from '../input/published-source.js';
import type { FeedId } from './feed-id.js';

/**
 * A published geolocation database. Each is a constant, listed in `catalogue.ts`. A new feed touches six places: its
 * file here with a test, `feed-id.ts`, `catalogue.ts`, its weights in `merge/precedence.ts`, its sample in
 * `fixtures/feeds` (described in `fixtures/README.md`), and its part of the generated world in
 * `fixtures/generate/world`. The compiler reports missing weights; tests report missing fixtures.
 */
export interface Feed extends PublishedSource {
  readonly id: FeedId;
  /** Inserts IPv4-mapped rows (::ffff:0:0/96) as IPv4, for a feed without an IPv4 file. By default they are dropped. */
  readonly foldMapped?: boolean;
  /** The names of the layers, the strongest first. A feed without internal precedence has one. */
  readonly layers: readonly string[];
  /** Combines the claims of the layers for one network; a pure function. Entry i is the claim of layer i. */
  combine(claims: readonly (Claim | undefined)[]): Claim | undefined;
  /**
   * The same as if operators did not state the places of their networks, for networks of which they do. It measures
   * what the merge knows by itself. Absent for a feed without statements of operators.
   */
  combineUnstated?(claims: readonly (Claim | undefined)[]): Claim | undefined;
  /** The claims that rest on data under other terms than the feed, if any. */
  readonly borrowed?: readonly BorrowedClaims[];
  /**
   * Reads every row of every file into its sink. Calls `sinkFor(file)` once per file, before its first row. Throws
   * FeedError when a file is unusable as a whole.
   */
  read(files: readonly OpenFile[], sinkFor: (file: OpenFile) => ClaimSink): Promise<void>;
}

/** Claims of a feed, or parts of them, that rest on another source, which may not be in files for download. */
export interface BorrowedClaims {
  /** The id of the other source. */
  readonly source: string;
  readonly licence: Licence;
  /** Returns what remains of a claim without the other source; the claim itself if it does not rest on it. */
  readonly without: (claim: Claim) => Claim;
}
