import type { ClientAddress } from './client-address.js';
import type { Context, Exchange, FailurePage } from './exchange.js';
import { newRequestIds } from './request-id.js';
import { CLOSED_HEADERS, OPEN_HEADERS, PAGE_HEADERS, REVALIDATED, UNCACHED } from './response-headers.js';
import { documentedPath, type Route } from './route.js';

/** The properties shared by all exchanges of a route. */
export type Opening = Pick<Exchange, 'route' | 'isText' | 'fixedHeaders' | 'failsWithStatus' | 'failurePage'>;

/** Returns the opening of a route. Failures of pages are pages with the HTTP status of their code. */
export function openingOf(
  { paths, shape, cors, failsWithStatus = false }: Route,
  failurePage: FailurePage | undefined,
): Opening {
  const route = documentedPath(paths[0]);
  if (shape.kind === 'page' && failurePage !== undefined)
    return { ...openingOfPages(failurePage, shape.isFixed), route };
  return {
    route,
    isText: shape.kind === 'text' || failsWithStatus,
    failsWithStatus,
    fixedHeaders: [...(cors === false ? CLOSED_HEADERS : OPEN_HEADERS), ...UNCACHED],
  };
}

/** Returns what the openings of all pages for people have in common. */
export function openingOfPages(failurePage: FailurePage, isFixed = false): Omit<Opening, 'route'> {
  const fixedHeaders = [...PAGE_HEADERS, ...(isFixed ? REVALIDATED : UNCACHED)];
  return { isText: false, failsWithStatus: true, failurePage, fixedHeaders };
}

/** Returns the function that begins an exchange. */
export function exchangeOpener({
  clientAddress,
  isDraining,
}: {
  readonly clientAddress: ClientAddress;
  readonly isDraining: () => boolean;
}): (ctx: Context, opening: Opening) => Exchange {
  const requestId = newRequestIds();
  return (ctx, { route, isText, fixedHeaders, failsWithStatus = false, failurePage }) => ({
    ctx,
    id: requestId(ctx.req.headers['x-request-id']),
    startedMs: performance.now(),
    route,
    // A socket without an address is closed, so the answer is discarded.
    client: clientAddress(ctx.req) ?? '0.0.0.0',
    isText,
    failsWithStatus,
    failurePage,
    fixedHeaders,
    isLast: isDraining,
    isKeyInvalid: false,
  });
}

/** Returns whether a request comes from a browser that opens a page. */
export function wantsPage({ req }: Context): boolean {
  const { accept } = req.headers;
  if (accept === undefined || !/\btext\/html\b/i.test(accept)) return false;
  return !/[?&]format=/.test(req.url ?? '');
}
