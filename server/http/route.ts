import type { IncomingHttpHeaders } from 'node:http';
import type { z } from 'zod';
import type { Account } from '../ledger/accounts/account.js';
import type { KeylessBucket } from '../ledger/plans.js';
import type { Snapshot } from '../release/snapshot.js';
import type { Answer } from './answer.js';

/** The key and the limits that a route requires. */
export type Terms<Params, Query, Body> =
  /** No key is read. Limit: requests per minute and source. */
  | { readonly kind: 'keyless'; readonly bucket: KeylessBucket }
  /** Limits: minute, day and credits of the key's plan. Anonymous callers, if admitted, pay no credits. */
  | {
      readonly kind: 'metered';
      readonly key: 'optional' | 'required';
      readonly credits: number | ((asked: Asked<Params, Query, Body>) => number);
      /** The price in words, where it depends on the call. */
      readonly describeCredits?: string;
    }
  /** Requires a key. Limit: the minute of its plan. Not counted in usage (decision 8). */
  | { readonly kind: 'account' }
  /**
   * Requires an enterprise key. Limit: its minute, and the download meter that the route checks. Counted in usage. With
   * `login`, account number and key are the user and the password of HTTP Basic (decision 78).
   */
  | { readonly kind: 'download'; readonly login?: 'basic' };

/** The validated request. */
export interface Asked<Params, Query, Body> {
  readonly params: Params;
  readonly query: Query;
  readonly body: Body;
}

/** A validated request with its caller and the release that answers it. */
export interface Call<Params, Query, Body> extends Asked<Params, Query, Body> {
  /** The caller's address after trusted proxies. Passes `net.isIP`; IPv4 if it was mapped; RFC 5952 form. */
  readonly client: string;
  /** Undefined for anonymous and keyless calls. */
  readonly account: Account | undefined;
  /** Limit of targets in a batch, by the key's plan or for anonymous callers. */
  readonly batchLimit: number;
  /** The release that was current at the start of the request. Throws Failure(503) when none is loaded. */
  readonly snapshot: Snapshot;
  readonly method: 'GET' | 'HEAD' | 'POST';
  readonly headers: IncomingHttpHeaders;
  /** Aborted when the connection closes or the answer was sent. */
  readonly closed: AbortSignal;
}

/**
 * Asynchronous work of a call, such as DNS or Whois. It starts after minute, day and credits were charged. A failure is
 * refunded.
 */
export type Work = () => Promise<Answer>;

/**
 * A lookup that must happen before admission: the addresses of a host, because a private address is refused before day
 * and credits are checked (decision 5).
 */
export interface Preflight {
  readonly kind: 'preflight';
  /** Runs after the minute was counted. Its result is admitted like a result of `answer`. Throws Failure. */
  readonly look: () => Promise<Answer | Work>;
}

/** The wire form of a success, for the OpenAPI document and the tests that validate answers. */
export type AnswerShape =
  /** `line` is a line of the form for callers that accept NDJSON, which has no envelope. */
  | {
      readonly kind: 'envelope';
      readonly data: z.ZodType;
      readonly line?: z.ZodType;
      /** Also sent as CSV, without the envelope. */
      readonly csv?: true;
    }
  /** `text` is the form for callers that accept text/plain. */
  | { readonly kind: 'bare'; readonly body: z.ZodType; readonly text?: z.ZodType<string> }
  | { readonly kind: 'text'; readonly text: z.ZodType<string> }
  /**
   * An HTML document, for people. It is no part of the OpenAPI document. Browsers may keep a fixed one, and ask with its
   * ETag whether it is still the same.
   */
  | { readonly kind: 'page'; readonly isFixed?: boolean }
  /** An MMDB file with ranges, or, with a type, an archive without them. */
  | { readonly kind: 'file'; readonly type?: string };

/** An endpoint: one constant of this shape in one file under `routes/`. */
export interface Route<Params = unknown, Query = unknown, Body = unknown> {
  readonly method: 'get' | 'post';
  /** In the syntax of @koa/router: `/api/ip/:target`. The first is the documented one. */
  readonly paths: readonly [string, ...string[]];
  readonly operationId: string;
  readonly tag: string;
  /** One sentence for the OpenAPI document. */
  readonly summary: string;
  readonly terms: Terms<Params, Query, Body>;
  /** Its own errors by code, each with its condition. Errors of its terms are not repeated here. */
  readonly errors?: Readonly<Record<number, string>>;
  /** A value that its schema refuses is code 400 with the schema's first message. */
  readonly params: z.ZodType<Params>;
  readonly query: z.ZodType<Query>;
  readonly body?: z.ZodType<Body>;
  readonly shape: AnswerShape;
  /** Additional response headers, by their names in the components of the OpenAPI document. */
  readonly ownHeaders?: readonly string[];
  /** Whether errors are their HTTP statuses with a line of text, instead of the envelope (decision 77). */
  readonly failsWithStatus?: boolean;
  /** False for `/api/rdns`, which sends no CORS headers (decision 13). */
  readonly cors?: false;
  /**
   * Returns the answer, the work to do for it, or a lookup to do before admission. Throws Failure. Runs before the call
   * is admitted, so it must not wait or change anything.
   */
  answer(call: Call<Params, Query, Body>): Answer | Work | Preflight;
}

/** Returns a path in the notation of OpenAPI: `/api/ip/{target}`. */
export function documentedPath(path: string): string {
  return path.replace(/:(\w+)/g, '{$1}');
}

/** Type-checks a route with its own types and returns it as a plain `Route`. */
export function defineRoute<Params, Query, Body = undefined>(route: Route<Params, Query, Body>): Route {
  return route as unknown as Route;
}
