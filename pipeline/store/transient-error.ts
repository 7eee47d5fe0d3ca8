/**
 * A fault that may pass, such as a reset connection or a 503. The only error after which a job is retried. `name` is an
 * own property, because only own properties are copied out of a worker thread.
 */
export class TransientError extends Error {
  override readonly name = 'TransientError';
}
