/**
 * What is wrong with a delta. `damaged`: its bytes are not a delta. `version`: another version of the format or of the
 * MMDB writer made it. `other-file`: it begins from another file than the given one. `result`: the rebuilt file is not
 * the announced one. `content`: the file cannot be described by the schema.
 */
export type ChangesFault = 'damaged' | 'version' | 'other-file' | 'result' | 'content';

/** A delta that cannot be made or applied. */
export class ChangesError extends Error {
  override readonly name = 'ChangesError';

  constructor(
    readonly fault: ChangesFault,
    message: string,
    options?: ErrorOptions,
  ) {
    super(message, options);
  }
}
