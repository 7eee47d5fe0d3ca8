/**
 * Why a file is refused as a whole. `container`: not the zip or gz expected. `header`: columns unknown.
 * `truncated`: ends early. `shrunk`: rows under half of the last good copy. `grown`: rows over ten times of it.
 * `tolerance`: too many rejected rows. `missing`: not there. `stale`: of another day than the rest. `too-wide`: names
 * space that no single operator has.
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
] as const;

/** A file that cannot be used as a whole: the snapshot's last good copy takes its place. */
export class FeedError extends Error {
  override readonly name = 'FeedError';

  constructor(
    readonly refusal: Refusal,
    /** `<folder>/<name>` of the file. */
    readonly file: string,
    /** What was found, in words, without the file's name. */
    readonly found: string,
    options?: ErrorOptions,
  ) {
    super(`${file}: ${refusal}: ${found}`, options);
  }
}

/** Several files of one reading that cannot be used. */
export class RefusedFiles extends Error {
  override readonly name = 'RefusedFiles';

  constructor(readonly refusals: readonly FeedError[]) {
    super(refusals.map(({ message }) => message).join('; '));
  }
}
