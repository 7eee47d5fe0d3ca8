/** Thrown if a dump is not a sequence of MRT records, from the start or from some record on. */
export class MrtError extends Error {
  override readonly name = 'MrtError';

  constructor(
    /** Byte offset of the bad record's header in the uncompressed dump. */
    readonly offset: number,
    readonly found: string,
  ) {
    super(`at byte ${offset}: ${found}`);
  }
}
