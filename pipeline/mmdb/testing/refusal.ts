import { MmdbError } from '../mmdb-error.js';

/** The MmdbError that `run` throws. Throws what else it throws, and an error when it does not throw. */
export function refusalOf(run: () => unknown): MmdbError {
  try {
    run();
  } catch (error) {
    if (error instanceof MmdbError) return error;
    throw error;
  }
  throw new Error('it was accepted');
}
