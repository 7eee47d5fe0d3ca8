import { Failure } from '../failure.js';
import type { AccountStore } from '../ledger/accounts/account.js';
import type { Admission, Hold, Meter } from '../ledger/meters/meter.js';
import { keylessSubject } from '../ledger/subject.js';
import type { Snapshot } from '../release/snapshot.js';
import { admit, priceOf, refusalOf } from './admission.js';
import { RouteCall } from './call.js';
import { checkCaller, subjectOf } from './caller.js';
import type { Exchange, ExchangeObserver, Outcome } from './exchange.js';
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
import { readBody } from './read-body.js';
import type { Preflight, Route } from './route.js';
import { sendAnswer, sendFailure } from './send.js';

/** The parts of the request pipeline. */
export interface PipelineParts {
  readonly accounts: Pick<AccountStore, 'authenticate'>;
  readonly meter: Meter;
  /** Returns the current release; undefined before the first one is loaded. */
  readonly currentSnapshot: () => Snapshot | undefined;
  readonly observer: ExchangeObserver;
}

/**
 * Answers a request to a route, in the order of decision 5: check the caller, prepare the answer, count the minute and
 * charge day and credits in one operation in Redis, do the remaining work, settle, send. Never rejects.
 */
export async function answerRoute(parts: PipelineParts, route: Route, exchange: Exchange): Promise<void> {
  const snapshot = parts.currentSnapshot();
  let found: Rendered | Failure;
  try {
    found = await findAnswer(parts, route, { exchange, snapshot });
  } catch (error) {
    found = asFailure(error);
  }
  const isData = snapshot !== undefined && route.terms.kind !== 'account';
  await end(parts, exchange, { found, headers: isData ? ['X-Data-Build', snapshot.id] : [] });
}

/** Answers a request without a route. It counts against the public bucket (decision 1). Never rejects. */
export async function answerUnrouted(
  parts: PipelineParts,
  exchange: Exchange,
  failure: Failure,
): Promise<void> {
  let found = failure;
  try {
    const { window, refused } = await parts.meter.count(keylessSubject(exchange.client, 'public'));
    exchange.window = window;
    if (refused !== undefined) found = refusalOf(refused, window);
  } catch (error) {
    found = asFailure(error);
  }
  await end(parts, exchange, { found, headers: [] });
}

/** Answers a request that is not counted, such as a page. Its headers show the window. Never rejects. */
export async function answerFreely(
  parts: PipelineParts,
  exchange: Exchange,
  send: (exchange: Exchange) => Promise<number> | number,
): Promise<void> {
  try {
    await peek(parts, exchange);
    parts.observer.ended(exchange, { status: await send(exchange), code: 0 });
  } catch (error) {
    await end(parts, exchange, { found: asFailure(error), headers: [] });
  }
}

/** Refuses a request without counting it. Never rejects. */
export async function refuseFreely(
  parts: PipelineParts,
  exchange: Exchange,
  failure: Failure,
): Promise<void> {
  await end(parts, exchange, { found: failure, headers: [] });
}

async function findAnswer(
  { accounts, meter }: PipelineParts,
  route: Route,
  { exchange, snapshot }: { readonly exchange: Exchange; readonly snapshot: Snapshot | undefined },
): Promise<Rendered | Failure> {
  const { ctx } = exchange;
  const query = queryOf(ctx.req.url!);
  const checked = checkCaller(accounts, route, { exchange, query });
  const refused = checked instanceof Promise ? await checked : checked;
  // A key that cannot be checked belongs neither to an account nor to the anonymous callers (decision 69).
  if (refused?.code === 503) return refused;
  const body = route.body === undefined || refused ? undefined : await readBody(ctx);
  const call = new RouteCall(exchange, snapshot, { params: ctx['params'] as unknown, query, body });
  const prepared = refused ?? (body instanceof Failure ? body : prepareAnswer(route, call));
  if (isPreflight(prepared)) {
    return await answerWithPreflight(meter, route, { exchange, call, preflight: prepared });
  }
  const price = priceOf(route, prepared, call);
  const admission = await admit(meter, subjectOf(exchange, route.terms), { price, prepared });
  exchange.window = admission.window;
  if (admission.refused !== undefined) return refusalOf(admission.refused, admission.window, price);
  return isRendered(prepared) ? prepared : await finish(prepared, admission.hold);
}

/** A call that needs a preflight. */
interface PreflightCall {
  readonly exchange: Exchange;
  readonly call: RouteCall;
  readonly preflight: Preflight;
}

/**
 * Answers a call in two operations of the meter: first the minute, then day and credits after the preflight. A call
 * that fails in the preflight costs the minute only.
 */
async function answerWithPreflight(
  meter: Meter,
  route: Route,
  { exchange, call, preflight }: PreflightCall,
): Promise<Rendered | Failure> {
  const subject = subjectOf(exchange, route.terms);
  const counted = await meter.count(subject);
  exchange.window = counted.window;
  if (counted.refused !== undefined) return refusalOf(counted.refused, counted.window);
  const prepared = await runPreflight(preflight);
  const price = priceOf(route, prepared, call);
  const admission: Admission & { readonly hold?: Hold } =
    price === undefined ? counted : await meter.reserveCounted(subject, price);
  exchange.window = admission.window;
  if (admission.refused !== undefined) return refusalOf(admission.refused, admission.window, price);
  return await finish(prepared, admission.hold);
}

/** Does the remaining work and settles the hold. */
async function finish(prepared: Prepared, hold: Hold | undefined): Promise<Rendered | Failure> {
  const found = typeof prepared === 'function' ? await runWork(prepared) : prepared;
  await hold?.settle(!(found instanceof Failure));
  return found;
}

async function peek({ meter }: PipelineParts, exchange: Exchange): Promise<void> {
  exchange.window = (await meter.peek(keylessSubject(exchange.client, 'public'))).window;
}

async function end(
  parts: PipelineParts,
  exchange: Exchange,
  { found, headers }: { readonly found: Rendered | Failure; readonly headers: readonly string[] },
): Promise<void> {
  let outcome: Outcome;
  try {
    // The call failed before it was counted.
    if (exchange.window === undefined) await peek(parts, exchange);
    const sending =
      found instanceof Failure ? sendFailure(exchange, found) : sendAnswer(exchange, found, headers);
    // Awaiting undefined would take another turn of the event loop.
    if (sending !== undefined) await sending;
    outcome = outcomeOf(found);
  } catch (cause) {
    // The stream or the caller broke off. A partial answer must not look like a complete one.
    exchange.ctx.respond = false;
    exchange.ctx.res.destroy();
    outcome = { status: exchange.ctx.res.statusCode, code: isHangUp(cause) ? 0 : 500, cause };
  }
  parts.observer.ended(exchange, outcome);
}

function outcomeOf(found: Rendered | Failure): Outcome {
  if (found instanceof Failure) return { status: found.status, code: found.code, cause: found.cause };
  return { status: found.kind === 'stream' ? found.status : 200, code: 0 };
}

/** Returns whether the caller closed the connection before the end of the answer. */
function isHangUp(cause: unknown): boolean {
  return cause instanceof Error && 'code' in cause && cause.code === 'ERR_STREAM_PREMATURE_CLOSE';
}
