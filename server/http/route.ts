import type { IncomingHttpHeaders } from 'node:http';
import type { z } from 'zod';
import type { Account } from '../accounts/account.js';
import type { KeylessBucket } from '../metering/plans.js';
import type { Snapshot } from '../release/snapshot.js';
import type { Answer } from './answer.js';

/** Who pays, and with what. */
export type Terms<Params, Query, Body> =
  /** No key is read; requests per minute and source. */
  | { readonly kind: 'keyless'; readonly bucket: KeylessBucket }
  /** Minute, day and credits of the key's plan; anonymous callers, where they are let in, pay no credits. */
  | {
      readonly kind: 'metered';
      readonly key: 'optional' | 'required';
      readonly credits: number | ((asked: Asked<Params, Query, Body>) => number);
    }
  /** A key, and the minute of its plan; not counted in usage (ruling 8). */
  | { readonly kind: 'account' }
  /** A key of the enterprise plan, and its minute; the dataset's own meter is the route's business. Counted in usage. */
  | { readonly kind: 'download' };

/** What the caller sent, after its schemas. */
export interface Asked<Params, Query, Body> {
  readonly params: Params;
  readonly query: Query;
  readonly body: Body;
}

/** One request, and the world it is answered from. */
export interface Call<Params, Query, Body> extends Asked<Params, Query, Body> {
  /** The caller's address after trusted proxies: as `net.isIP` takes it, IPv4 where it was mapped, RFC 5952. */
  readonly client: string;
  /** Absent for anonymous and keyless calls. */
  readonly account: Account | undefined;
  /** Items a batch may have: of the key's plan, else of anonymous callers. */
  readonly batchLimit: number;
  /** Taken once, at the start of the request. */
  readonly snapshot: Snapshot;
  readonly method: 'GET' | 'HEAD' | 'POST';
  readonly headers: IncomingHttpHeaders;
}

/**
 * What waits for the world. It is begun only after minute, day and credits were granted, and what it took is given
 * back when it fails.
 */
export type Work = () => Promise<Answer>;

/**
 * What must be asked of the world before a call can be admitted: a host of its addresses, where private ones are
 * refused ahead of day and credits (ruling 5). It is begun when the minute was counted, and throws Failure; what it
 * comes to is admitted as if it had been known at once.
 */
export interface Inquiry {
  readonly kind: 'inquiry';
  readonly inquire: () => Promise<Answer | Work>;
}

/** How a success looks on the wire, for the OpenAPI document and for the tests that hold answers against it. */
export type AnswerShape =
  | { readonly kind: 'envelope'; readonly data: z.ZodType }
  /** `text` is what it is instead for who asks for text/plain. */
  | { readonly kind: 'bare'; readonly body: z.ZodType; readonly text?: z.ZodType<string> }
  | { readonly kind: 'text'; readonly text: z.ZodType<string> }
  | { readonly kind: 'file' };

/** An endpoint: one constant of this shape in one file under `routes/`. */
export interface Route<Params = unknown, Query = unknown, Body = unknown> {
  readonly method: 'get' | 'post';
  /** As @koa/router takes them: `/api/ip/:target`. The first is the documented one. */
  readonly paths: readonly [string, ...string[]];
  readonly operationId: string;
  readonly tag: string;
  /** One sentence for the OpenAPI document. */
  readonly summary: string;
  readonly terms: Terms<Params, Query, Body>;
  /** Of repeated query keys the first value comes in; what a schema refuses is code 400 with its first message. */
  readonly params: z.ZodType<Params>;
  readonly query: z.ZodType<Query>;
  readonly body?: z.ZodType<Body>;
  readonly shape: AnswerShape;
  /** Response headers of its own, by their names in the components of the OpenAPI document. */
  readonly ownHeaders?: readonly string[];
  /** `/api/rdns` alone sends no CORS headers (ruling 13). */
  readonly cors?: false;
  /**
   * An answer that can be given at once, the work to wait for, or what must be asked first. Throws Failure. It must
   * not wait, write or change anything before it returns: it runs before the call is admitted.
   */
  answer(call: Call<Params, Query, Body>): Answer | Work | Inquiry;
}

/** A path as people and OpenAPI write it: `/api/ip/{target}`. */
export function documentedPath(path: string): string {
  return path.replace(/:(\w+)/g, '{$1}');
}

/** Keeps a route's own types while it is written; the frame sees them all as `Route`. */
export function defineRoute<Params, Query, Body = undefined>(route: Route<Params, Query, Body>): Route {
  return route as unknown as Route;
}
