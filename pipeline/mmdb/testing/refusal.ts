import { MmdbError } from '../mmdb-error.js';

/** Returns the MmdbError that `run` throws. Rethrows other errors, and throws when `run` returns. */
export function refusalOf(run: () => unknown): MmdbError {
  try {
    run();
  } catch (error) {
    if (error instanceof MmdbError) return error;
    throw error;
  }
  throw new Error('expected an MmdbError, but the input was accepted');
}
