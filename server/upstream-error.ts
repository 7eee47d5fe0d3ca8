/** Why somebody else's server gave no answer. */
export type UpstreamReason =
  /** It, or the network on the way, said nothing in time. */
  | 'timeout'
  /** It could not be reached, or the connection broke off. */
  | 'unreachable'
  /** It, or where it sent us, is where nobody is let to by us. */
  | 'not-public'
  /** It has enough of us: HTTP 429, or a registry's words for it. */
  | 'rate-limited'
  /** It said that it cannot answer: SERVFAIL, REFUSED, HTTP 5xx. */
  | 'failed'
  /** What it said is no answer: not in the protocol, too long, to another question. */
  | 'malformed';

/**
 * A registry, resolver or node that did not answer. Routes make a Failure(502) of it (ruling 11); those who have
 * another server to ask go on with that one.
 */
export class UpstreamError extends Error {
  override readonly name = 'UpstreamError';

  constructor(
    readonly reason: UpstreamReason,
    /** Names the server and what happened; for the log. */
    message: string,
    options?: ErrorOptions,
  ) {
    super(message, options);
  }
}
