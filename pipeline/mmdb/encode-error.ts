/** A value that the MMDB format or its schema cannot hold. `path` leads to it inside the record. */
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
