/** A dump that is no chain of MRT records, or no longer one from a record on. */
export class MrtError extends Error {
  override readonly name = 'MrtError';

  constructor(
    /** Byte in the unpacked dump at which the bad record's header begins. */
    readonly offset: number,
    readonly found: string,
  ) {
    super(`at byte ${offset}: ${found}`);
  }
}
