import type { IncomingMessage } from 'node:http';
import type { Context as KoaContext, Middleware } from 'koa';
import type { ClientAddress } from './client-address.js';
import { DirectPaths, type DirectAnswer } from './direct-paths.js';
import type { Context, Exchange } from './exchange.js';
import { fixedDocument } from './fixed-document.js';
import { exchangeOpener, openingOf, openingOfPages, wantsPage, type Opening } from './opening.js';
import {
  answerFreely,
  answerRoute,
  answerUnrouted,
  refuseFreely,
  type PipelineParts,
} from './request-pipeline.js';
import { Failure } from '../failure.js';
import type { Page } from './pages.js';
import { refuseTarget } from './request-target.js';
import { RouterFamilies } from './router-families.js';
import {
  addHeaders,
  CLOSED_HEADERS,
  headersOf,
  OPEN_HEADERS,
  PREFLIGHT_HEADERS,
} from './response-headers.js';
import { documentedPath, type Route } from './route.js';
import { JSON_TYPE, sendEmpty, sendJson } from './send.js';
import type { Asset, Site } from './site.js';

/** The parts of the mounted application. */
export interface MountParts extends PipelineParts {
  readonly clientAddress: ClientAddress;
  /** Returns whether the server is stopping. */
  readonly isDraining: () => boolean;
  /** The pages for people; absent on a server without them. */
  readonly site?: Site;
}

/** What is mounted: endpoints, and documents about them. */
export interface Mounted {
  readonly routes: readonly Route[];
  readonly pages: readonly Page[];
}

type Begin = (ctx: Context, opening: Opening) => Exchange;
type Answer = (ctx: Context) => Promise<void>;

/**
 * The request handlers. `direct` finds the route of a documented path, and refuses requests without a valid target; the
 * middlewares answer all other requests.
 */
export interface Mount {
  readonly direct: (req: IncomingMessage) => DirectAnswer | undefined;
  readonly middlewares: readonly Middleware[];
}

/** Mounts routes and pages. */
export function mountRoutes(parts: MountParts, { routes, pages }: Mounted): Mount {
  const routers = new RouterFamilies();
  const direct = new DirectPaths();
  const begin = exchangeOpener(parts);
  const gets = pathsOfGet(routes, pages);
  const site = answersOfSite(parts, begin);
  for (const route of routes) {
    const opening = openingOf(route, undefined);
    const api: Answer = (ctx) => answerRoute(parts, route, begin(ctx, opening));
    for (const path of route.paths) {
      const page = site.get(path);
      site.delete(path);
      const answer: Answer = page === undefined ? api : (ctx) => (wantsPage(ctx) ? page(ctx) : api(ctx));
      routers.of(path)[route.method](path, answer);
      if (route.method === 'get') direct.add(path, gets, answer);
    }
  }
  for (const [path, answer] of site) routers.of(path).get(path, answer);
  for (const page of pages) routers.of(page.path).get(page.path, answerOfDocument(parts, page, begin));
  const closed = new Set(routes.filter(({ cors }) => cors === false).flatMap(({ paths }) => paths));
  const rest: Middleware = (ctx) => answerRest(parts, ctx, (opening) => begin(ctx, opening), closed);
  return {
    direct: (req) => refusalOf(parts, req, begin) ?? direct.find(req),
    middlewares: [routers.dispatch, rest],
  };
}

function pathsOfGet(routes: readonly Route[], pages: readonly Page[]): string[] {
  const gets = routes.filter(({ method }) => method === 'get').flatMap(({ paths }) => paths);
  return [...gets, ...pages.map(({ path }) => path)];
}

/** Returns the answers of the pages for people and of their assets, by path. */
function answersOfSite(parts: MountParts, begin: Begin): Map<string, Answer> {
  const answers = new Map<string, Answer>();
  const { pages = [], assets = [], failurePage } = parts.site ?? {};
  for (const route of pages) {
    const opening = openingOf(route, failurePage);
    const answer: Answer = (ctx) => answerRoute(parts, route, begin(ctx, opening));
    for (const path of route.paths) answers.set(path, answer);
  }
  for (const asset of assets) answers.set(asset.path, answerOfAsset(parts, asset, begin));
  return answers;
}

function answerOfAsset(parts: MountParts, asset: Asset, begin: Begin): Answer {
  const route = asset.path.replace(/^\/assets\/.*/, '/assets/{file}');
  const opening = { route, isText: false, fixedHeaders: CLOSED_HEADERS };
  const send = fixedDocument(asset);
  return (ctx) => answerFreely(parts, begin(ctx, opening), send);
}

function answerOfDocument(parts: MountParts, page: Page, begin: Begin): Answer {
  const opening = { route: page.path, isText: false, fixedHeaders: OPEN_HEADERS };
  const send = page.isFixed
    ? fixedDocument({ body: page.render().json, type: JSON_TYPE, caching: 'no-cache' })
    : pageSender(page);
  return (ctx) => answerFreely(parts, begin(ctx, opening), send);
}

/** Returns the refusal of a request that addresses no resource of this server; undefined if it does. */
function refusalOf(parts: MountParts, req: IncomingMessage, begin: Begin): DirectAnswer | undefined {
  const refused = refuseTarget(req);
  if (refused === undefined) return undefined;
  const refuse = refused.isCounted ? answerUnrouted : refuseFreely;
  return { answer: (ctx) => refuse(parts, begin(ctx, UNADDRESSED), refused.failure), params: {} };
}

const UNROUTED = { route: 'unknown', isText: false } as const;
const UNADDRESSED = { ...UNROUTED, fixedHeaders: OPEN_HEADERS };

function pageSender({ render }: Page): (exchange: Exchange) => Promise<number> {
  return async (exchange) => {
    const { status, json } = render();
    const headers = headersOf(exchange);
    headers.push('Cache-Control', 'no-cache');
    await sendJson(exchange, status, { headers, body: json });
    return status;
  };
}

/** Answers 404, 405 and OPTIONS. The router leaves routes with other methods in `ctx.matched`. */
function answerRest(
  parts: MountParts,
  ctx: KoaContext,
  begin: (opening: Opening) => Exchange,
  closed: ReadonlySet<string>,
): Promise<void> {
  const layers = (ctx['matched'] ?? []) as readonly {
    readonly path: string;
    readonly methods: readonly string[];
  }[];
  const isClosed = layers.some(({ path }) => closed.has(path));
  const opening = { isText: false, fixedHeaders: isClosed ? CLOSED_HEADERS : OPEN_HEADERS };
  if (layers.length === 0) {
    const failure = new Failure(404, 'not found; see /openapi.json', {}, { status: 404 });
    const { site } = parts;
    const form = site !== undefined && wantsPage(ctx) ? openingOfPages(site.failurePage) : opening;
    const exchange = begin({ ...form, route: UNROUTED.route });
    if (ctx.method === 'OPTIONS') return refuseFreely(parts, exchange, failure);
    return answerUnrouted(parts, exchange, failure);
  }
  const exchange = begin({ ...opening, route: documentedPath(layers[0]!.path) });
  const allowed = [...new Set(layers.flatMap(({ methods }) => methods)), 'OPTIONS'].join(', ');
  if (ctx.method === 'OPTIONS') {
    return answerFreely(parts, exchange, () => sendPreflight(exchange, allowed, isClosed));
  }
  const failure = new Failure(
    405,
    `method ${ctx.method} not allowed; see the Allow header`,
    {},
    { headers: { Allow: allowed } },
  );
  return answerUnrouted(parts, exchange, failure);
}

function sendPreflight(exchange: Exchange, allowed: string, isClosed: boolean): number {
  const headers = headersOf(exchange);
  addHeaders(headers, { Allow: allowed });
  if (!isClosed) headers.push('Access-Control-Allow-Methods', allowed, ...PREFLIGHT_HEADERS);
  sendEmpty(exchange, 204, headers);
  return 204;
}
