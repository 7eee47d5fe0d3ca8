/** How patient a download is, and how much it takes. Times in ms. */
export interface FetchLimits {
  /** Tries of a download that fails in a way that may pass. */
  readonly tries: number;
  /** Wait before the second try, about; doubles with every further one. */
  readonly backoffMs: number;
  /** From the request to the first line of the answer, connecting included. */
  readonly headersTimeoutMs: number;
  /** Between two pieces of a body. */
  readonly idleTimeoutMs: number;
  /** For a whole download with all its tries, besides the time that what comes may take. */
  readonly budgetMs: number;
  /** Largest file in bytes. */
  readonly maxBytes: number;
}

/** For the publishers' servers. */
export const FETCH_LIMITS: FetchLimits = {
  tries: 4,
  backoffMs: 2_000,
  headersTimeoutMs: 60_000,
  idleTimeoutMs: 60_000,
  budgetMs: 2 * 3_600_000,
  maxBytes: 4_000_000_000,
};
