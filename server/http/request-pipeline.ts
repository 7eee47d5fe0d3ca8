import { Failure } from '../failure.js';
import { keylessSubject } from '../ledger/subject.js';
import type { Snapshot } from '../release/snapshot.js';
import { refusalOf } from './admission.js';
import { findAnswer, type CallParts } from './find-answer.js';
import type { Exchange, ExchangeObserver, Outcome } from './exchange.js';
import { asFailure, type Rendered } from './prepared-answer.js';
import type { Route } from './route.js';
import { sendAnswer, sendFailure, statusOfFailure } from './send.js';

/** The parts of the request pipeline. */
export interface PipelineParts extends CallParts {
  /** Returns the current release; undefined before the first one is loaded. */
  readonly currentSnapshot: () => Snapshot | undefined;
  readonly observer: ExchangeObserver;
}

/**
 * Answers a request to a route, in the order of decision 5: check the caller, prepare the answer, count the minute and
 * charge day and credits in one operation in Redis, do the remaining work, settle, send. The minute of a call with a
 * body is counted before the body is read. Never rejects.
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
    const subject = keylessSubject(exchange.client, 'public');
    const { window, refused } = parts.meter.knownRefusal(subject) ?? (await parts.meter.count(subject));
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
    outcome = outcomeOf(exchange, found);
  } catch (cause) {
    // The stream or the caller broke off. A partial answer must not look like a complete one.
    const { res } = exchange.ctx;
    exchange.ctx.respond = false;
    outcome = { status: res.headersSent ? res.statusCode : 500, code: isHangUp(cause) ? 0 : 500, cause };
    res.destroy();
  }
  parts.observer.ended(exchange, outcome);
}

function outcomeOf(exchange: Exchange, found: Rendered | Failure): Outcome {
  if (found instanceof Failure)
    return { status: statusOfFailure(exchange, found), code: found.code, cause: found.cause };
  if (found.kind !== 'stream') return { status: 200, code: 0 };
  const { status, tool } = found;
  return { status, code: 0, ...(tool !== undefined && { tool }) };
}

/** Returns whether the caller closed the connection before the end of the answer. */
function isHangUp(cause: unknown): boolean {
  return cause instanceof Error && 'code' in cause && HANG_UPS.has(cause.code);
}

/** Codes of pipeline() for a response that closes. The second is for one that closed before, since Node 24. */
const HANG_UPS: ReadonlySet<unknown> = new Set(['ERR_STREAM_PREMATURE_CLOSE', 'ERR_STREAM_UNABLE_TO_PIPE']);
