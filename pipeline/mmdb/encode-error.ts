/** Thrown for a value that the MMDB format or the schema does not allow. `path` is its place in the record. */
export class MmdbEncodeError extends Error {
  override readonly name = 'MmdbEncodeError';

  constructor(
    readonly found: string,
    readonly path = '/',
    options?: ErrorOptions,
  ) {
    super(`at ${path}: ${found}`, options);
  }
}
