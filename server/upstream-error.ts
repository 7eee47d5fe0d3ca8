/** Why an upstream server gave no usable answer. */
export type UpstreamReason =
  /** No reply in time. */
  | 'timeout'
  /** The connection failed or broke off. */
  | 'unreachable'
  /** The server, or its redirect, is at an address that the egress guard refuses. */
  | 'not-public'
  /** The server rate-limited us: HTTP 429, or a registry's message. */
  | 'rate-limited'
  /** The server reported an error: SERVFAIL, REFUSED, HTTP 5xx. */
  | 'failed'
  /** The reply violates the protocol, is too long, or answers another question. */
  | 'malformed';

/**
 * A registry, resolver or node gave no usable answer. Callers try the next server if there is one. Routes convert it to
 * Failure(502) (decision 11).
 */
export class UpstreamError extends Error {
  override readonly name = 'UpstreamError';

  constructor(
    readonly reason: UpstreamReason,
    /** Names the server and the problem, for the log. */
    message: string,
    options?: ErrorOptions,
  ) {
    super(message, options);
  }
}
