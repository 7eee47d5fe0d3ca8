/** Whose limits a call counts against. */
export interface Subject {
  /**
   * `account:17`, or the source: `ip:192.0.2.1`, `ip:2001:db8:0:1::/64` (ruling 2). With the bucket's name it is what
   * Redis keys are made of.
   */
  readonly id: string;
  /** `account`, `anonymous`, or a keyless bucket. */
  readonly bucket: string;
  readonly requestsPerMinute: number;
  /** Absent: unlimited. */
  readonly requestsPerDay?: number;
  /** Credits of a month; absent for who pays none. */
  readonly creditsPerMonth?: number;
}

/** What a call takes besides its minute slot: one of the day, and credits; counted in usage when it succeeds. */
export interface Price {
  readonly credits: number;
}

/** The minute's window as the X-RateLimit headers tell it. */
export interface Window {
  readonly limit: number;
  /** Never below 0. */
  readonly remaining: number;
  /** Unix seconds, rounded up. */
  readonly reset: number;
}

export type Refusal = 'minute' | 'day' | 'credits' | 'unavailable';

/** Whether a call may go on. */
export interface Admission {
  readonly window: Window;
  /** Absent when it may. `unavailable`: Redis is gone, and what is asked for costs (ruling 10). */
  readonly refused?: Refusal;
}

/** A price that was taken and is not settled. */
export interface Hold {
  /**
   * Keeps what was taken and counts the call in usage, or gives it back to the day and month it was taken from. Only
   * the first call has an effect. Never throws: what cannot be settled is given back by the reaper within 2 minutes.
   */
  settle(succeeded: boolean): Promise<void>;
}

/**
 * Limits and credits. Every method is one atomic step in Redis, over minute, day and credits together; the minute is
 * counted first and stays spent. Without Redis those who pay no credits are counted in this process.
 */
export interface Meter {
  /** The window, not counting this request. */
  peek(subject: Subject): Promise<Admission>;
  /** The minute alone. */
  count(subject: Subject): Promise<Admission>;
  /** Minute and price of a call whose answer is there: taken, settled and counted in usage, or refused. */
  charge(subject: Subject, price: Price): Promise<Admission>;
  /** Minute and price of a call whose work is still to do; the hold is there when it was not refused. */
  reserve(subject: Subject, price: Price): Promise<Admission & { readonly hold?: Hold }>;
  /** The same for a call whose minute was counted before: the price alone. */
  reserveCounted(subject: Subject, price: Price): Promise<Admission & { readonly hold?: Hold }>;
}
