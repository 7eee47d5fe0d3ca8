/** A release that is not served, and why: it is not whole, not ours, or does not answer as it must. */
export class ReleaseRefused extends Error {
  override readonly name = 'ReleaseRefused';

  constructor(
    /** The release's file, by its path in the folder; `current` for the link. */
    readonly file: string,
    /** In words, without the file. */
    readonly reason: string,
    options?: ErrorOptions,
  ) {
    super(`${file}: ${reason}`, options);
  }
}
