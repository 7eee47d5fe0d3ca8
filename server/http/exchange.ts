import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Failure } from '../failure.js';
import type { Account } from '../ledger/accounts/account.js';
import type { Window } from '../ledger/meters/meter.js';

/** A key as the caller sent it. */
export interface PresentedKey {
  readonly key: string;
  /** Whether it was sent as `?token=`, which is deprecated. */
  readonly inQuery: boolean;
  /** The account number that was sent with it; the key must belong to that account. */
  readonly accountId?: string;
}

/** A request and its answer: a context of Koa, or the part of it that this server uses. */
export interface Context {
  readonly req: IncomingMessage;
  readonly res: ServerResponse;
  /** False when the answer is sent without Koa. */
  respond?: boolean | undefined;
  /** The parameters of the path. */
  params?: unknown;
}

/** One request with its state so far. Response headers, log line and metrics are derived from it. */
export interface Exchange {
  readonly ctx: Context;
  /** Its X-Request-Id. */
  readonly id: string;
  /** `performance.now()` at its arrival. */
  readonly startedMs: number;
  /** The documented path of its route, or `unknown`. */
  readonly route: string;
  /** The caller's address after trusted proxies. */
  readonly client: string;
  /** Whether errors are sent as text/plain (decision 3). */
  readonly isText: boolean;
  /** Whether the HTTP status of an error is its code (decision 77). */
  readonly failsWithStatus?: boolean;
  /** Renders a failure for a browser; absent on endpoints of the API. */
  readonly failurePage?: FailurePage | undefined;
  /** Headers of every answer of the route. */
  readonly fixedHeaders: readonly string[];
  /** Returns whether to close the connection after this answer, because the server is stopping. */
  readonly isLast: () => boolean;
  key?: PresentedKey;
  isKeyInvalid: boolean;
  account?: Account;
  window?: Window;
}

/** Renders an HTML document that says why a request has failed. */
export type FailurePage = (failure: Failure, req: IncomingMessage) => string;

/** The result of an exchange. */
export interface Outcome {
  /** HTTP status. */
  readonly status: number;
  /** Code of the envelope. 0 for a success of any shape. */
  readonly code: number;
  /** The tool that the request has called, for the log only. */
  readonly tool?: string;
  /** The error behind a failure, for the log only. */
  readonly cause?: unknown;
}

/** Receives every exchange after its answer was written to the socket. */
export interface ExchangeObserver {
  ended(exchange: Exchange, outcome: Outcome): void;
}
