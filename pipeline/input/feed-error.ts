/**
 * The reason why a whole file is refused. `container`: not the expected container. `header`: unknown columns.
 * `truncated`: ends early. `shrunk`: less than half the rows of the last good copy. `grown`: more than ten times its
 * rows. `tolerance`: too many rejected rows. `missing`: not found. `stale`: of another day than the other files.
 * `too-wide`: contains a network that is larger than any single operator's. `too-large`: more bytes or values than the
 * maximum. `too-deep`: JSON that is nested deeper than the maximum.
 */
export type Refusal = (typeof REFUSALS)[number];
export const REFUSALS = [
  'container',
  'header',
  'truncated',
  'shrunk',
  'grown',
  'tolerance',
  'missing',
  'stale',
  'too-wide',
  'too-large',
  'too-deep',
] as const;

/** Thrown when a file is unusable as a whole. The build uses the last good copy instead. */
export class FeedError extends Error {
  override readonly name = 'FeedError';

  constructor(
    readonly refusal: Refusal,
    /** The id of the file, `<folder>/<name>`. */
    readonly file: string,
    /** The problem, without the file and the refusal. */
    readonly found: string,
    options?: ErrorOptions,
  ) {
    super(`${file}: ${refusal}: ${found}`, options);
  }
}

/** Thrown when several files of one source are unusable. */
export class RefusedFiles extends Error {
  override readonly name = 'RefusedFiles';

  constructor(readonly refusals: readonly FeedError[]) {
    super(refusals.map(({ message }) => message).join('; '));
  }
}
