import type { IncomingMessage } from 'node:http';
import { Failure } from '../failure.js';
import { hostLinesOf } from './header-lines.js';

/**
 * Returns why a request does not address a resource of this server; undefined if it does. Its `url` is then the path
 * with the query. A failure is counted or not: a wrong Host is answered without counting, as malformed HTTP is.
 */
export function refuseTarget(
  req: IncomingMessage,
): { readonly failure: Failure; readonly isCounted: boolean } | undefined {
  const wrong = whyWrongHost(req);
  if (wrong !== undefined) return uncounted(new Failure(400, wrong, {}, { status: 400 }));
  const { method, url: target = '' } = req;
  if (method === 'CONNECT') return { failure: NO_TUNNELS, isCounted: true };
  const path = pathOfTarget(target);
  if (path === undefined) return uncounted(WRONG_TARGET);
  if (path !== target) req.url = path;
  return undefined;
}

function uncounted(failure: Failure): { readonly failure: Failure; readonly isCounted: boolean } {
  return { failure, isCounted: false };
}

const WRONG_TARGET = new Failure(400, 'invalid request target: expected a path', {}, { status: 400 });

const NO_TUNNELS = new Failure(
  405,
  'method CONNECT not allowed; this server is no proxy',
  {},
  { headers: { Allow: 'GET, HEAD, POST, OPTIONS' } },
);

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

/** RFC 9112 §3.2: HTTP/1.1 must name the host once; HTTP/1.0 need not name it. */
function whyWrongHost(req: IncomingMessage): string | undefined {
  const lines = hostLinesOf(req);
  if (lines > 1) return 'more than one Host header';
  return lines === 0 && req.httpVersion === '1.1' ? 'missing Host header' : undefined;
}
