import type { Context } from 'koa';
import type { Account } from '../accounts/account.js';
import type { Window } from '../metering/meter.js';
import type { PresentedKey } from './presented-key.js';

/** One request and what is known of it by now; its answer's headers, log line and measures are made of this. */
export interface Exchange {
  readonly ctx: Context;
  /** Its X-Request-Id. */
  readonly id: string;
  /** `performance.now()` when it came in. */
  readonly startedMs: number;
  /** The documented path of its route; `unknown` for all that is none. */
  readonly route: string;
  /** After trusted proxies. */
  readonly client: string;
  /** Errors go out as text/plain (ruling 3). */
  readonly isText: boolean;
  /** Headers that all answers of the route have. */
  readonly fixedHeaders: readonly string[];
  /** Whether the connection ends with this answer, because the server is about to. */
  readonly isLast: () => boolean;
  key?: PresentedKey;
  isKeyInvalid: boolean;
  account?: Account;
  window?: Window;
}

/** What an exchange came to. */
export interface Outcome {
  /** HTTP status. */
  readonly status: number;
  /** Code of the envelope, 0 for a success of any shape. */
  readonly code: number;
  /** Behind a failure of ours, for the log alone. */
  readonly cause?: unknown;
}

/** Hears of every answer when it has been handed to the socket. */
export interface ExchangeObserver {
  ended(exchange: Exchange, outcome: Outcome): void;
}
