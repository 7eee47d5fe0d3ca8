import type { Address } from '../../net/address.js';
import type { Prefix } from '../../net/prefix.js';
import type { Note, Reason } from '../tally.js';
import type { Claim } from './claim.js';

/**
 * Receives the rows of a file. A reader calls exactly one of `prefix`, `range`, `accept`, `unknown` and `reject` per
 * row.
 */
export interface ClaimSink<C = Claim> {
  /** Returns the id of a claim. Readers call it once per distinct claim, not per row. */
  intern(claim: C): number;
  /** Inserts a row that is a prefix; returns false when it is rejected. The caller may reuse `prefix` afterwards. */
  prefix(layer: number, prefix: Prefix, claimId: number, position: number): boolean;
  /** Inserts a row that is a range: both ends inclusive, of the same family, `start` <= `end`. */
  range(layer: number, start: Address, end: Address, claimId: number, position: number): void;
  /** Counts a row as accepted that is not inserted itself. */
  accept(): void;
  /** Inserts a part of a row that another call counts. The caller may reuse `prefix` afterwards. */
  part(layer: number, prefix: Prefix, claimId: number): void;
  /** Counts a row without information (only placeholders) as accepted. */
  unknown(): void;
  /** Rejects a row. `position` is a 1-based line or a byte offset. */
  reject(reason: Reason, position: number, excerpt: string): void;
  /** Notes an oddity of an accepted row. Does not count the row. */
  note(note: Note): void;
}
