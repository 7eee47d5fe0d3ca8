import { Failure } from '../failure.js';
import type { Admission, Hold, Meter } from '../metering/meter.js';
import { priceOf, refusalOf } from './admission.js';
import { inquire, run, type Rendered } from './attempt.js';
import type { RouteCall } from './call.js';
import type { Exchange } from './exchange.js';
import { subjectOf } from './identity.js';
import type { Inquiry, Route } from './route.js';

/** A call that is to be asked about. */
interface Inquired {
  readonly exchange: Exchange;
  readonly call: RouteCall;
  readonly inquiry: Inquiry;
}

/**
 * Answers a call in two steps of the meter: the minute first, which outranks all, then day and credits, when it is
 * known what there is to do. What goes wrong between the two has cost the minute alone.
 */
export async function answerInquiry(
  meter: Meter,
  route: Route,
  { exchange, call, inquiry }: Inquired,
): Promise<Rendered | Failure> {
  const subject = subjectOf(exchange, route.terms);
  const counted = await meter.count(subject);
  exchange.window = counted.window;
  if (counted.refused !== undefined) return refusalOf(counted.refused, counted.window);
  const tried = await inquire(inquiry);
  const price = priceOf(route, tried, call);
  const admission: Admission & { readonly hold?: Hold } =
    price === undefined ? counted : await meter.reserveCounted(subject, price);
  exchange.window = admission.window;
  if (admission.refused !== undefined) return refusalOf(admission.refused, admission.window, price);
  const found = typeof tried === 'function' ? await run(tried) : tried;
  await admission.hold?.settle(!(found instanceof Failure));
  return found;
}
