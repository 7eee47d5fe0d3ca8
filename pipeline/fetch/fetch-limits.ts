/** Time and size limits of a download. Times in ms. */
export interface FetchLimits {
  /** Number of tries after temporary failures. */
  readonly tries: number;
  /** Approximate wait before the second try; doubles with each further one. */
  readonly backoffMs: number;
  /** From the request to the status line, including the connection. */
  readonly headersTimeoutMs: number;
  /** Between two chunks of a body. */
  readonly idleTimeoutMs: number;
  /** For a whole download with all tries; received bytes extend it (`TimeBudget`). */
  readonly budgetMs: number;
  /** Largest file in bytes. */
  readonly maxBytes: number;
}

/** The limits for publishers' servers. */
export const FETCH_LIMITS: FetchLimits = {
  tries: 4,
  backoffMs: 2_000,
  headersTimeoutMs: 60_000,
  idleTimeoutMs: 60_000,
  budgetMs: 2 * 3_600_000,
  maxBytes: 4_000_000_000,
};
