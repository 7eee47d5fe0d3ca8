/** The reasons why rows are rejected, for all sources. */
export const REASONS = [
  'columns',
  'quoting',
  'encoding',
  'address',
  'inverted',
  'family',
  'reserved',
  'country',
  'reference',
  'pointer',
  'record-type',
  'record-length',
  'peer-index',
  'prefix-length',
  'attribute',
  'asn',
  'max-length',
  'status',
  'date',
  'json',
  'text-length',
] as const;
export type Reason = (typeof REASONS)[number];

/** Oddities of accepted rows. */
export const NOTES = [
  'unknown',
  'mapped',
  'host-bits',
  'duplicate',
  'conflict',
  'coordinates',
  'clipped',
  'not-delegated',
  'unresolved',
  'region-country',
  'region-code',
  'skipped',
  'not-referenced',
  'partly-referenced',
] as const;
export type Note = (typeof NOTES)[number];

/** A rejected row, kept as an example of its reason. */
export interface Rejection {
  /** The 1-based line, or the byte offset in binary files. */
  readonly position: number;
  /** The beginning of the row as published. */
  readonly excerpt: string;
}

/** The number of rows rejected for one reason, and the first of them. */
export interface RejectionCount {
  count: number;
  readonly examples: Rejection[];
}

/** The counts of one file. `rows` is always `accepted + rejected`. */
export class Tally {
  readonly #examplesKept: number;
  accepted = 0;
  rejected = 0;
  readonly rejections: Partial<Record<Reason, RejectionCount>> = {};
  readonly notes: Partial<Record<Note, number>> = {};

  /** `examplesKept` is the number of rejected rows that are kept for each reason. */
  constructor(examplesKept = EXAMPLES_KEPT) {
    this.#examplesKept = examplesKept;
  }

  get rows(): number {
    return this.accepted + this.rejected;
  }

  accept(): void {
    this.accepted++;
  }

  reject(reason: Reason, position: number, excerpt: string): void {
    this.rejected++;
    const held = (this.rejections[reason] ??= { count: 0, examples: [] });
    held.count++;
    if (held.examples.length < this.#examplesKept) {
      held.examples.push({ position, excerpt: excerpt.slice(0, EXCERPT_CHARACTERS) });
    }
  }

  note(note: Note): void {
    this.notes[note] = (this.notes[note] ?? 0) + 1;
  }
}

const EXAMPLES_KEPT = 3;
/** The same for files that are written by hand: people want to mend every row. */
export const EXAMPLES_KEPT_BY_HAND = 100;
const EXCERPT_CHARACTERS = 120;
