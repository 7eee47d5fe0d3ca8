import { Failure, type FailureCode } from '../failure.js';
import { accountsUnreachable } from '../metering/ask-redis.js';
import type { Admission, Hold, Meter, Price, Refusal, Subject, Window } from '../metering/meter.js';
import type { Attempt } from './attempt.js';
import type { RouteCall } from './call.js';
import type { Route } from './route.js';

const FREE: Price = { credits: 0 };

/**
 * What a call takes besides its minute; absent where it takes nothing else. What is refused for the caller's own
 * mistake takes the minute only; what the work itself would have found out (404, 502) comes behind day and credits in
 * the order of checks (ruling 5).
 */
export function priceOf({ terms }: Route, tried: Attempt, call: RouteCall): Price | undefined {
  if (terms.kind !== 'metered') return undefined;
  if (tried instanceof Failure && BEFORE_DAY.includes(tried.code)) return undefined;
  if (call.account === undefined) return FREE;
  return { credits: typeof terms.credits === 'number' ? terms.credits : terms.credits(call) };
}

/** Failures that come before day and credits, and our own. */
const BEFORE_DAY: readonly FailureCode[] = [400, 401, 403, 405, 413, 500, 503];

/** The one step in Redis of a call: an answer that is there is paid at once, anything else is reserved. */
export function admit(
  meter: Meter,
  subject: Subject,
  { price, tried }: { readonly price: Price | undefined; readonly tried: Attempt },
): Promise<Admission & { readonly hold?: Hold }> {
  if (price === undefined) return meter.count(subject);
  const isThere = typeof tried !== 'function' && !(tried instanceof Failure);
  return isThere ? meter.charge(subject, price) : meter.reserve(subject, price);
}

/** What a refused caller is told. */
export function refusalOf(refused: Refusal, window: Window, price?: Price): Failure {
  switch (refused) {
    case 'minute':
      return minuteSpent(window);
    case 'day':
      return new Failure(429, 'the daily quota is used up; it starts anew at midnight, server time');
    case 'credits':
      return new Failure(402, 'not enough credits', { credits_required: price?.credits ?? 0 });
    case 'unavailable':
      return accountsUnreachable();
  }
}

/** With whole seconds to wait, RFC 9110 §10.2.3. */
function minuteSpent({ limit, reset }: Window): Failure {
  // `reset` is rounded up, and a minute has 60.
  const seconds = Math.min(60, Math.max(1, Math.ceil(reset - Date.now() / 1000)));
  const headers = { 'Retry-After': String(seconds) };
  return new Failure(429, `more than ${limit} requests per minute, wait ${seconds} s`, {}, { headers });
}
