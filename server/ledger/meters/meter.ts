import { WIDER } from '../plans.js';
import type { Subject } from '../subject.js';

/** The cost of a call besides one request of the minute: one call of the day, and credits. */
export interface Price {
  readonly credits: number;
}

/**
 * The state of the minute's window, for the X-RateLimit headers. For an IPv6 source it is the window that refuses the
 * call, else the one with the fewest requests left: its own, or that of a network around it.
 */
export interface Window {
  readonly limit: number;
  /** Never below 0. */
  readonly remaining: number;
  /** Unix seconds, rounded up. */
  readonly reset: number;
  /** The network whose window it is, if it is not the caller's own: `2001:db8::/48`. */
  readonly network?: string;
}

/** Why a call is refused. `unavailable`: the call costs credits and Redis is unavailable (decision 10). */
export type Refusal = 'minute' | 'day' | 'credits' | 'unavailable';

/** The result of an admission check. */
export interface Admission {
  readonly window: Window;
  /** Absent when the call is admitted. */
  readonly refused?: Refusal;
}

/** Returns the window of a subject (level 0) or of a network around it (levels 1 and 2). `reset` is in Unix seconds. */
export function windowOf(
  { requestsPerMinute, wider }: Subject,
  { level, requests, reset }: { readonly level: number; readonly requests: number; readonly reset: number },
): Window {
  const limit = level === 0 ? requestsPerMinute : requestsPerMinute * WIDER[level - 1]!.times;
  const window = { limit, remaining: Math.max(0, limit - requests), reset };
  return level === 0 ? window : { ...window, network: wider![level - 1]!.slice('ip:'.length) };
}

/** A price that was charged and is not yet settled. */
export interface Hold {
  /**
   * Keeps the charge and counts the call in usage, or refunds the day and month that were charged. Only the first call
   * has an effect. Never rejects. The reaper refunds a hold that cannot be settled within 2 minutes.
   */
  settle(succeeded: boolean): Promise<void>;
}

/**
 * Limits and credits. Every method is one atomic operation in Redis on minute, day and credits. The minute is counted
 * first and never refunded. While Redis is unavailable, subjects without credits are counted in this process.
 */
export interface Meter {
  /** Returns the refusal of a subject that has used up its minute, if this process knows it. Sends nothing to Redis. */
  knownRefusal(subject: Subject): Admission | undefined;
  /** Returns the window without counting a request. */
  peek(subject: Subject): Promise<Admission>;
  /** Counts a request of the minute only. */
  count(subject: Subject): Promise<Admission>;
  /** Charges minute and price of a call with a ready answer. The charge is settled at once and counted in usage. */
  charge(subject: Subject, price: Price): Promise<Admission>;
  /** Charges the price of a call with a ready answer that `count` has admitted. Settled at once, as by `charge`. */
  chargeCounted(subject: Subject, price: Price): Promise<Admission>;
  /** Charges minute and price of a call with work left to do. `hold` is present unless the call is refused. */
  reserve(subject: Subject, price: Price): Promise<Admission & { readonly hold?: Hold }>;
  /** Charges the price of a call that `count` has admitted. `hold` is present unless the call is refused. */
  reserveCounted(subject: Subject, price: Price): Promise<Admission & { readonly hold?: Hold }>;
}
