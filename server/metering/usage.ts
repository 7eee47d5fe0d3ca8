/** Successful metered calls of an account, by day of the server's time zone. */
export interface Usage {
  readonly today: number;
  /** Sum of `daily`. */
  readonly monthTotal: number;
  /** Exactly 30, the last one today; `date` is ISO. */
  readonly daily: readonly { readonly date: string; readonly count: number }[];
}

/** Reads what `Meter` counted. Throws Failure(503) without Redis. */
export interface UsageReader {
  usageOf(accountId: number): Promise<Usage>;
}
