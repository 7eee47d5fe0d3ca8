/** The command line or the environment asks for what cannot be. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
}
