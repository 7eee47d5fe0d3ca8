import type { IncomingHttpHeaders } from 'node:http';
import { z } from 'zod';
import type { Language } from '../../pipeline/record/language.js';
import type { Answer } from '../http/answer.js';
import { defineRoute, type Call, type Route, type Work } from '../http/route.js';
import type { Snapshot } from '../release/snapshot.js';
import { pageLanguage } from './page-language.js';

/** A request for a page. */
export interface PageCall<Params, Query> {
  readonly language: Language;
  readonly params: Params;
  readonly query: Query;
  /** The visitor's address. */
  readonly client: string;
  /** The release that was current at the start of the request. Throws Failure(503) when none is loaded. */
  readonly snapshot: Snapshot;
  readonly headers: IncomingHttpHeaders;
}

/** A page for people. */
export interface PageDefinition<Params, Query> {
  /** In the syntax of @koa/router. */
  readonly paths: readonly [string, ...string[]];
  /** Identifies the page in the log and the metrics. */
  readonly name: string;
  /** Whether it is the same for all visitors and has an ETag. */
  readonly isFixed?: boolean;
  readonly params?: z.ZodType<Params>;
  /** The limit it counts against; that of all pages by default. */
  readonly bucket?: 'pages' | 'global-dns-runs';
  /** Parameters besides `lang`. */
  readonly query?: z.ZodType<Query>;
  /** Returns the page, or the work to do for it. Throws Failure. */
  readonly answer: (call: PageCall<Params, Query>) => Answer | Work;
}

const NONE = z.object({});

/** Returns the route of a page. */
export function definePage<Params, Query>({
  paths,
  name,
  isFixed = false,
  params,
  query,
  bucket = 'pages',
  answer,
}: PageDefinition<Params, Query>): Route {
  return defineRoute({
    method: 'get',
    paths,
    operationId: name,
    tag: 'Pages',
    summary: name,
    terms: { kind: 'keyless', bucket },
    params: (params ?? NONE) as z.ZodType<Params>,
    query: z.object({ lang: z.string().optional() }).and((query ?? NONE) as z.ZodType<Query>),
    shape: { kind: 'page', isFixed },
    cors: false,
    answer: (call) => answer(pageCall(call)),
  });
}

function pageCall<Params, Query>(
  call: Call<Params, Query & { readonly lang?: string | undefined }, undefined>,
): PageCall<Params, Query> {
  const { params, query, client, headers } = call;
  return {
    ...{ language: pageLanguage({ lang: query.lang, headers }), params, query, client, headers },
    // A getter that throws without a release; not all pages need one.
    get snapshot() {
      return call.snapshot;
    },
  };
}
