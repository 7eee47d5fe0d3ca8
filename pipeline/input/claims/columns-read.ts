import type { Note, Reason } from '../tally.js';
import type { Claim } from './claim.js';
import type { ClaimSink } from './claim-sink.js';

/**
 * The result of reading the columns of a row, without its network: a claim, which may be empty, or a rejection
 * reason.
 */
export type ColumnsRead<C = Claim> =
  { readonly refused: Reason } | { readonly claim: C; readonly notes?: readonly Note[] };

/** Interns the claims of rows, and numbers each claim with its notes. Equal ones have the same number. */
export class KnownColumns<C extends object> {
  readonly #sink: Pick<ClaimSink<C>, 'intern'>;
  /** The results with notes, which are few, and their positions. */
  readonly #noted: { readonly claimId: number | undefined; readonly notes: readonly Note[] }[] = [];
  readonly #positions = new Map<string, number>();

  constructor(sink: Pick<ClaimSink<C>, 'intern'>) {
    this.#sink = sink;
  }

  /** Returns the number of what was read of a row. */
  number({ claim, notes = NO_NOTES }: Exclude<ColumnsRead<C>, { refused: Reason }>): number {
    const claimId = Object.keys(claim).length > 0 ? this.#sink.intern(claim) : undefined;
    // Even numbers have no notes.
    if (notes.length === 0) return claimId === undefined ? 0 : 2 * claimId + 2;
    const key = `${claimId ?? ''} ${notes.join(' ')}`;
    const position = this.#positions.get(key) ?? this.#noted.push({ claimId, notes }) - 1;
    this.#positions.set(key, position);
    return 2 * position + 1;
  }

  /** Returns the id of the claim with a number; undefined when the claim is empty. */
  claimIdOf(number: number): number | undefined {
    if (number % 2 === 1) return this.#noted[number >>> 1]!.claimId;
    return number === 0 ? undefined : (number >>> 1) - 1;
  }

  notesOf(number: number): readonly Note[] {
    return number % 2 === 1 ? this.#noted[number >>> 1]!.notes : NO_NOTES;
  }
}

const NO_NOTES: readonly Note[] = [];
