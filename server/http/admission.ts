import { Failure, type FailureCode } from '../failure.js';
import { accountsUnavailable } from '../ledger/redis-connection.js';
import type { Subject } from '../ledger/subject.js';
import type { Admission, Hold, Meter, Price, Refusal, Window } from '../ledger/meters/meter.js';
import { isRendered, type Prepared } from './prepared-answer.js';
import type { RouteCall } from './call.js';
import type { Route } from './route.js';

const FREE: Price = { credits: 0 };

/**
 * Returns the price of a call besides its minute; undefined when only the minute is counted. A call refused for the
 * caller's mistake costs the minute only. Failures that the work would find as well (404, 502) come after day and
 * credits in the order of checks (decision 5).
 */
export function priceOf({ terms }: Route, prepared: Prepared, call: RouteCall): Price | undefined {
  if (terms.kind !== 'metered') return undefined;
  if (prepared instanceof Failure && BEFORE_DAY.includes(prepared.code)) return undefined;
  if (call.account === undefined) return FREE;
  return { credits: typeof terms.credits === 'number' ? terms.credits : terms.credits(call) };
}

/** Failures checked before day and credits, and internal ones. */
const BEFORE_DAY: readonly FailureCode[] = [400, 401, 403, 405, 408, 413, 429, 500, 503];

/** Runs the one operation in Redis of a call. Charges a ready answer at once and reserves the price of other calls. */
export function admit(
  meter: Meter,
  subject: Subject,
  { price, prepared }: { readonly price: Price | undefined; readonly prepared: Prepared },
): Promise<Admission & { readonly hold?: Hold }> {
  if (price === undefined) return meter.count(subject);
  return isRendered(prepared) ? meter.charge(subject, price) : meter.reserve(subject, price);
}

/** Runs the second operation of a call whose minute is counted. */
export function admitCounted(
  meter: Meter,
  subject: Subject,
  { price, prepared }: { readonly price: Price; readonly prepared: Prepared },
): Promise<Admission & { readonly hold?: Hold }> {
  return isRendered(prepared) ? meter.chargeCounted(subject, price) : meter.reserveCounted(subject, price);
}

/** Returns the failure for a refused call. */
export function refusalOf(refused: Refusal, window: Window, price?: Price): Failure {
  switch (refused) {
    case 'minute':
      return minuteExceeded(window);
    case 'day':
      return new Failure(429, 'daily quota exceeded; it resets at midnight, server time');
    case 'credits':
      return new Failure(402, 'not enough credits', { credits_required: price?.credits ?? 0 });
    case 'unavailable':
      return accountsUnavailable();
  }
}

/** Returns 429 with Retry-After in seconds (RFC 9110 §10.2.3). */
function minuteExceeded({ limit, reset, network }: Window): Failure {
  // `reset` is rounded up, so the difference may exceed a minute.
  const seconds = Math.min(60, Math.max(1, Math.ceil(reset - Date.now() / 1000)));
  const headers = { 'Retry-After': String(seconds) };
  return new Failure(
    429,
    `limit of ${limit} requests per minute${network === undefined ? '' : ` for ${network}`} exceeded, retry in ${seconds} s`,
    {},
    { headers },
  );
}
