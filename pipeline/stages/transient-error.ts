/**
 * A fault that may be gone in a moment: a reset connection, a 503. The only error after which a job is tried again.
 * The name is an own property, because it is what survives the way out of a worker thread.
 */
export class TransientError extends Error {
  override readonly name = 'TransientError';
}
