import type { Authentication } from '../accounts/account.js';
import type { AccountStore } from '../accounts/account-store.js';
import type { Meter } from '../metering/meter.js';
import type { Snapshot } from '../release/snapshot.js';
import { admit, priceOf, refusalOf } from './admission.js';
import { answerInquiry } from './answer-inquiry.js';
import { asFailure, attempt, isInquiry, run, type Rendered } from './attempt.js';
import { RouteCall } from './call.js';
import type { Exchange, ExchangeObserver, Outcome } from './exchange.js';
import { Failure } from '../failure.js';
import { identify, subjectOf, whyNotAllowed } from './identity.js';
import { queryOf, type Query } from './query.js';
import { readBody } from './read-body.js';
import type { Route } from './route.js';
import { sendAnswer, sendFailure } from './send.js';
import { keylessSubject } from './subject.js';

/** What the frame works with. */
export interface FrameParts {
  readonly accounts: Pick<AccountStore, 'authenticate'>;
  readonly meter: Meter;
  /** The release that is served now; absent while there is none. */
  readonly currentSnapshot: () => Snapshot | undefined;
  readonly observer: ExchangeObserver;
}

/**
 * Answers one request of a route, in the order of ruling 5: whose it is, what can be said at once, then one step in
 * Redis that counts the minute, which outranks all, and takes day and credits. Never rejects.
 */
export async function answerRoute(parts: FrameParts, route: Route, exchange: Exchange): Promise<void> {
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

/** Answers a request that belongs to no route, which counts against the public bucket (ruling 1). Never rejects. */
export async function answerUnrouted(parts: FrameParts, exchange: Exchange, failure: Failure): Promise<void> {
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

/** Answers with what is no endpoint and costs nothing: the window is told and not counted. Never rejects. */
export async function answerFreely(
  parts: FrameParts,
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

/** Refuses what costs nothing either. Never rejects. */
export async function refuseFreely(parts: FrameParts, exchange: Exchange, failure: Failure): Promise<void> {
  await end(parts, exchange, { found: failure, headers: [] });
}

async function findAnswer(
  parts: FrameParts,
  route: Route,
  { exchange, snapshot }: { readonly exchange: Exchange; readonly snapshot: Snapshot | undefined },
): Promise<Rendered | Failure> {
  const { ctx } = exchange;
  const query = queryOf(ctx.req.url!);
  const judged = judgeCaller(parts, route, { exchange, query });
  const notAllowed = judged instanceof Promise ? await judged : judged;
  const body = route.body === undefined || notAllowed ? undefined : await readBody(ctx);
  const call = new RouteCall(exchange, snapshot, { params: ctx['params'] as unknown, query, body });
  const tried = notAllowed ?? (body instanceof Failure ? body : attempt(route, call));
  if (isInquiry(tried)) return await answerInquiry(parts.meter, route, { exchange, call, inquiry: tried });
  const price = priceOf(route, tried, call);
  const admission = await admit(parts.meter, subjectOf(exchange, route.terms), { price, tried });
  exchange.window = admission.window;
  if (admission.refused !== undefined) return refusalOf(admission.refused, admission.window, price);
  if (typeof tried !== 'function' && !(tried instanceof Failure)) return tried;
  const found = typeof tried === 'function' ? await run(tried) : tried;
  await admission.hold?.settle(!(found instanceof Failure));
  return found;
}

/** Notes whose call it is; why it may not be answered. Waits only for keys that have not been seen lately. */
function judgeCaller(
  { accounts }: FrameParts,
  { terms }: Route,
  { exchange, query }: { readonly exchange: Exchange; readonly query: Query },
): Failure | undefined | Promise<Failure | undefined> {
  if (terms.kind === 'keyless') return undefined;
  const known = identify(exchange, query, accounts);
  const note = (authentication: Authentication | undefined): Failure | undefined => {
    if (authentication?.kind === 'account') exchange.account = authentication.account;
    exchange.isKeyInvalid = authentication?.kind === 'invalid';
    return whyNotAllowed(exchange, terms, authentication);
  };
  return known instanceof Promise ? known.then(note) : note(known);
}

async function peek({ meter }: FrameParts, exchange: Exchange): Promise<void> {
  exchange.window = (await meter.peek(keylessSubject(exchange.client, 'public'))).window;
}

async function end(
  parts: FrameParts,
  exchange: Exchange,
  { found, headers }: { readonly found: Rendered | Failure; readonly headers: readonly string[] },
): Promise<void> {
  let outcome: Outcome;
  try {
    // What failed before it was counted.
    if (exchange.window === undefined) await peek(parts, exchange);
    const sending =
      found instanceof Failure ? sendFailure(exchange, found) : sendAnswer(exchange, found, headers);
    // What is sent already is not waited for: that would take another turn.
    if (sending !== undefined) await sending;
    outcome = outcomeOf(found);
  } catch (cause) {
    // A stream that broke off, or a caller who has gone: half an answer must not look like a whole one.
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

/** Whether the caller has gone in the middle of an answer, which is no fault of ours. */
function isHangUp(cause: unknown): boolean {
  return cause instanceof Error && 'code' in cause && cause.code === 'ERR_STREAM_PREMATURE_CLOSE';
}
