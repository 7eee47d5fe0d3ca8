import type { Claim } from './claim.js';
import type { ClaimSink } from './feed.js';
import type { Note, Reason } from './tally.js';

/** What the columns of a row say, its network aside: a claim (an empty one says nothing), or why it is refused. */
export type ColumnsRead<C = Claim> =
  { readonly refused: Reason } | { readonly claim: C; readonly notes?: readonly Note[] };

/** The same, interned. */
export interface KnownColumns {
  readonly refused?: Reason;
  /** Absent when the row says nothing. */
  readonly claimId?: number;
  readonly notes: readonly Note[];
}

/**
 * Reads columns once per distinct text of theirs: a feed of millions of rows says some 100,000 different things, and
 * often the same as in the row before.
 */
export class ClaimMemo<C extends object = Claim> {
  readonly #columns: readonly number[];
  readonly #read: (fields: readonly string[]) => ColumnsRead<C>;
  readonly #sink: ClaimSink<C>;
  readonly #known = new Map<string, KnownColumns>();
  #last: KnownColumns | undefined;
  #lastFields: readonly string[] = [];

  /** `read` may look at `columns` alone. */
  constructor(
    columns: readonly number[],
    read: (fields: readonly string[]) => ColumnsRead<C>,
    sink: ClaimSink<C>,
  ) {
    this.#columns = columns;
    this.#read = read;
    this.#sink = sink;
  }

  /** What the row says, which may be kept until the next one. */
  of(fields: readonly string[]): KnownColumns {
    const same = this.#last;
    if (same !== undefined && this.#saysTheSame(fields)) return same;
    let key = '';
    for (const column of this.#columns) key += `${fields[column]!}\u0000`;
    let known = this.#known.get(key);
    if (known === undefined) {
      known = this.#intern(this.#read(fields));
      this.#known.set(key, known);
    }
    this.#last = known;
    this.#lastFields = fields;
    return known;
  }

  #saysTheSame(fields: readonly string[]): boolean {
    const last = this.#lastFields;
    for (const column of this.#columns) if (fields[column] !== last[column]) return false;
    return true;
  }

  #intern(read: ColumnsRead<C>): KnownColumns {
    if ('refused' in read) return { refused: read.refused, notes: [] };
    const { claim, notes = [] } = read;
    return { ...(Object.keys(claim).length > 0 && { claimId: this.#sink.intern(claim) }), notes };
  }
}
