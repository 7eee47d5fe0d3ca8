import type { Context, Middleware } from 'koa';
import type { ClientAddress } from './client-address.js';
import { DirectPaths } from './direct-paths.js';
import type { Exchange } from './exchange.js';
import { fixedDocument } from './fixed-document.js';
import {
  answerFreely,
  answerRoute,
  answerUnrouted,
  refuseFreely,
  type PipelineParts,
} from './request-pipeline.js';
import { Failure } from '../failure.js';
import { hostLinesOf } from './header-lines.js';
import type { Page } from './pages.js';
import { newRequestIds } from './request-id.js';
import { RouterFamilies } from './router-families.js';
import {
  addHeaders,
  CLOSED_HEADERS,
  headersOf,
  OPEN_HEADERS,
  PREFLIGHT_HEADERS,
  UNCACHED,
} from './response-headers.js';
import { documentedPath, type Route } from './route.js';
import { sendEmpty, sendJson } from './send.js';

/** The parts of the mounted application. */
export interface MountParts extends PipelineParts {
  readonly clientAddress: ClientAddress;
  /** Returns whether the server is stopping. */
  readonly isDraining: () => boolean;
}

/** Returns the middlewares that answer routes, pages and all other requests. */
export function mountRoutes(
  parts: MountParts,
  routes: readonly Route[],
  pages: readonly Page[],
): Middleware[] {
  const routers = new RouterFamilies();
  const direct = new DirectPaths();
  const begin = exchangeOpener(parts);
  const gets = pathsOfGet(routes, pages);
  for (const route of routes) {
    const opening = openingOf(route);
    const answer = (ctx: Context): Promise<void> => answerRoute(parts, route, begin(ctx, opening));
    for (const path of route.paths) {
      routers.of(path)[route.method](path, answer);
      if (route.method === 'get') direct.add(path, gets, answer);
    }
  }
  for (const page of pages) {
    const opening = { route: page.path, isText: false, fixedHeaders: OPEN_HEADERS };
    const send = page.isFixed ? fixedDocument(page.render().json) : pageSender(page);
    routers.of(page.path).get(page.path, (ctx) => answerFreely(parts, begin(ctx, opening), send));
  }
  const closed = new Set(routes.filter(({ cors }) => cors === false).flatMap(({ paths }) => paths));
  const rest: Middleware = (ctx) => answerRest(parts, ctx, (opening) => begin(ctx, opening), closed);
  const first: Middleware = (ctx, next) =>
    refuseUnaddressed(parts, ctx, begin) ?? (direct.dispatch(ctx, next) as Promise<void>);
  return [first, routers.dispatch, rest];
}

function pathsOfGet(routes: readonly Route[], pages: readonly Page[]): string[] {
  const gets = routes.filter(({ method }) => method === 'get').flatMap(({ paths }) => paths);
  return [...gets, ...pages.map(({ path }) => path)];
}

/**
 * Refuses requests that do not address a resource of this server, and returns undefined for all others. A wrong Host is
 * answered without counting, as malformed HTTP is.
 */
function refuseUnaddressed(
  parts: MountParts,
  ctx: Context,
  begin: (ctx: Context, opening: Opening) => Exchange,
): Promise<void> | undefined {
  const wrong = whyWrongHost(ctx);
  if (wrong !== undefined) {
    return refuseFreely(parts, begin(ctx, UNADDRESSED), new Failure(400, wrong, {}, { status: 400 }));
  }
  const { method, url: target = '' } = ctx.req;
  if (method === 'CONNECT') return answerUnrouted(parts, begin(ctx, UNADDRESSED), NO_TUNNELS);
  const path = pathOfTarget(target);
  if (path === undefined) return refuseFreely(parts, begin(ctx, UNADDRESSED), WRONG_TARGET);
  if (path !== target) ctx.req.url = path;
  return undefined;
}

const WRONG_TARGET = new Failure(400, 'invalid request target: expected a path', {}, { status: 400 });

/**
 * Returns the path and query of a request target; undefined if it has none. A target may be a whole URL, as to a proxy
 * (RFC 9112 §3.2.2). Koa would answer 500 to one that is not valid.
 */
function pathOfTarget(target: string): string | undefined {
  if (target.startsWith('/') || target === '*') return target;
  if (!/^https?:\/\//i.test(target) || !URL.canParse(target)) return undefined;
  const { pathname, search } = new URL(target);
  return pathname + search;
}

const NO_TUNNELS = new Failure(
  405,
  'method CONNECT not allowed; this server is no proxy',
  {},
  { headers: { Allow: 'GET, HEAD, POST, OPTIONS' } },
);

/** RFC 9112 §3.2: HTTP/1.1 must name the host once; HTTP/1.0 need not name it. */
function whyWrongHost({ req }: Context): string | undefined {
  const lines = hostLinesOf(req);
  if (lines > 1) return 'more than one Host header';
  return lines === 0 && req.httpVersion === '1.1' ? 'missing Host header' : undefined;
}

const UNROUTED = { route: 'unknown', isText: false } as const;
const UNADDRESSED = { ...UNROUTED, fixedHeaders: OPEN_HEADERS };

/** The properties shared by all exchanges of a route. */
type Opening = Pick<Exchange, 'route' | 'isText' | 'fixedHeaders' | 'failsWithStatus'>;

function openingOf({ paths, shape, cors, failsWithStatus = false }: Route): Opening {
  return {
    route: documentedPath(paths[0]),
    isText: shape.kind === 'text' || failsWithStatus,
    failsWithStatus,
    fixedHeaders: [...(cors === false ? CLOSED_HEADERS : OPEN_HEADERS), ...UNCACHED],
  };
}

function exchangeOpener({
  clientAddress,
  isDraining,
}: MountParts): (ctx: Context, opening: Opening) => Exchange {
  const requestId = newRequestIds();
  return (ctx, { route, isText, fixedHeaders, failsWithStatus = false }) => ({
    ctx,
    id: requestId(ctx.req.headers['x-request-id']),
    startedMs: performance.now(),
    route,
    // A socket without an address is closed, so the answer is discarded.
    client: clientAddress(ctx.req) ?? '0.0.0.0',
    isText,
    failsWithStatus,
    fixedHeaders,
    isLast: isDraining,
    isKeyInvalid: false,
  });
}

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
  ctx: Context,
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
    const exchange = begin({ ...opening, ...UNROUTED });
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
