/** The command line or the environment is invalid. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
}
