import { Failure } from '../failure.js';
import type { AccountStore } from '../ledger/accounts/account.js';
import type { Admission, Hold, Meter } from '../ledger/meters/meter.js';
import { sourceOf, type Subject } from '../ledger/subject.js';
import type { Snapshot } from '../release/snapshot.js';
import { admit, admitCounted, priceOf, refusalOf } from './admission.js';
import { RouteCall } from './call.js';
import { checkCaller, subjectOf } from './caller.js';
import type { Exchange } from './exchange.js';
import {
  asFailure,
  isPreflight,
  isRendered,
  prepareAnswer,
  runPreflight,
  runWork,
  type Prepared,
  type Rendered,
} from './prepared-answer.js';
import { queryOf } from './query.js';
import type { BodyReader } from './read-body.js';
import type { Route } from './route.js';

/** The parts that find the answer of a call. */
export interface CallParts {
  readonly accounts: Pick<AccountStore, 'authenticate'>;
  readonly meter: Meter;
  readonly bodies: Pick<BodyReader, 'read'>;
}

/** Finds the answer of a call, and counts and charges the call. Rejects only with internal errors. */
export async function findAnswer(
  { accounts, meter, bodies }: CallParts,
  route: Route,
  { exchange, snapshot }: { readonly exchange: Exchange; readonly snapshot: Snapshot | undefined },
): Promise<Rendered | Failure> {
  const { ctx } = exchange;
  const query = queryOf(ctx.req.url!);
  const checked = checkCaller(accounts, route, { exchange, query });
  const refused = checked instanceof Promise ? await checked : checked;
  // A key that cannot be checked belongs neither to an account nor to the anonymous callers (decision 69).
  if (refused?.code === 503) return refused;
  const subject = subjectOf(exchange, route.terms);
  const known = meter.knownRefusal(subject);
  if (known?.refused !== undefined) {
    exchange.window = known.window;
    return refusalOf(known.refused, known.window);
  }
  const call = new RouteCall(exchange, snapshot, {
    params: ctx.params,
    query,
    body: undefined,
  });
  if (route.body !== undefined && refused === undefined) {
    return await answerInTwoSteps(meter, route, {
      exchange,
      call,
      subject,
      prepare: () => readAndPrepare(bodies, route, { exchange, call }),
    });
  }
  const prepared = refused ?? prepareAnswer(route, call);
  if (isPreflight(prepared)) {
    return await answerInTwoSteps(meter, route, {
      exchange,
      call,
      subject,
      prepare: () => runPreflight(prepared),
    });
  }
  const price = priceOf(route, prepared, call);
  const admission = await admit(meter, subject, { price, prepared });
  exchange.window = admission.window;
  if (admission.refused !== undefined) return refusalOf(admission.refused, admission.window, price);
  return isRendered(prepared) ? prepared : await finish(prepared, admission.hold);
}

/** A call whose answer is prepared after its minute was counted. */
interface CountedCall {
  readonly exchange: Exchange;
  readonly call: RouteCall;
  readonly subject: Subject;
  readonly prepare: () => Promise<Prepared>;
}

/**
 * Answers a call with a body or a preflight in two operations of the meter: first the minute, then day and credits
 * after the body was read or the preflight has run. A call that fails in between costs the minute only.
 */
async function answerInTwoSteps(
  meter: Meter,
  route: Route,
  { exchange, call, subject, prepare }: CountedCall,
): Promise<Rendered | Failure> {
  const counted = await meter.count(subject);
  exchange.window = counted.window;
  if (counted.refused !== undefined) return refusalOf(counted.refused, counted.window);
  const prepared = await prepare();
  const price = priceOf(route, prepared, call);
  const admission: Admission & { readonly hold?: Hold } =
    price === undefined ? counted : await admitCounted(meter, subject, { price, prepared });
  exchange.window = admission.window;
  if (admission.refused !== undefined) return refusalOf(admission.refused, admission.window, price);
  return isRendered(prepared) ? prepared : await finish(prepared, admission.hold);
}

/** Reads the body of a call and prepares the answer. Never rejects. */
async function readAndPrepare(
  bodies: CallParts['bodies'],
  route: Route,
  { exchange, call }: { readonly exchange: Exchange; readonly call: RouteCall },
): Promise<Prepared> {
  try {
    const { ctx, client, account } = exchange;
    const sender = { source: sourceOf(client), hasKey: account !== undefined };
    call.body = await bodies.read(ctx, sender);
  } catch (error) {
    return asFailure(error);
  }
  if (call.body instanceof Failure) return call.body;
  const prepared = prepareAnswer(route, call);
  return isPreflight(prepared) ? await runPreflight(prepared) : prepared;
}

/** Does the remaining work and settles the hold. */
async function finish(prepared: Prepared, hold: Hold | undefined): Promise<Rendered | Failure> {
  const found = typeof prepared === 'function' ? await runWork(prepared) : prepared;
  await hold?.settle(!(found instanceof Failure));
  return found;
}
