/** A store or an object that cannot be used, for a reason that does not pass by itself. */
export class StoreError extends Error {
  override readonly name: string = 'StoreError';

  constructor(
    /** The store, or the object as `<store>/<key>`. */
    readonly where: string,
    /** The fault, and what was expected instead. */
    readonly found: string,
    options?: ErrorOptions,
  ) {
    super(`${where}: ${found}`, options);
  }
}

/** A conditional put that wrote nothing, because another writer was first. */
export class PreconditionError extends StoreError {
  override readonly name = 'PreconditionError';

  constructor(where: string, options?: ErrorOptions) {
    super(where, 'was changed by another writer', options);
  }
}
