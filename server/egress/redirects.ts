import { parseTarget, type Target } from '../targets/target.js';
import { UpstreamError } from '../upstream-error.js';
import type { HttpRequest } from './http-client.js';

/** One request of a redirect chain. */
export interface Hop {
  readonly url: URL;
  readonly target: Target;
  readonly method: 'GET' | 'POST';
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Uint8Array | undefined;
}

/** Returns the first request of a call. Throws UpstreamError for a URL that is not allowed. */
export function firstHop({ url, method = 'GET', headers = {}, body, allowPlainHttp }: HttpRequest): Hop {
  return { url, target: targetOf(url, { allowPlainHttp }), method, headers: lowerCased(headers), body };
}

/**
 * Returns the request a redirect asks for (RFC 9110 §15.4). Absent when the reply is not a redirect. Throws
 * UpstreamError for a URL that is not allowed: another scheme, credentials, or a port other than 80, 443 or the first
 * URL's.
 */
export function nextHop(
  hop: Hop,
  reply: { readonly status: number; readonly location: string | undefined },
  request: HttpRequest,
): Hop | undefined {
  if (!REDIRECTS.has(reply.status) || reply.location === undefined) return undefined;
  const url = parseLocation(reply.location, hop.url);
  const target = targetOf(url, { allowPlainHttp: request.allowPlainHttp, firstPort: request.url.port });
  const keepsBody = KEEPS_METHOD.has(reply.status) && hop.body !== undefined;
  const headers = url.origin === hop.url.origin ? hop.headers : only(hop.headers, PUBLIC_HEADERS);
  return {
    url,
    target,
    method: keepsBody ? hop.method : 'GET',
    body: keepsBody ? hop.body : undefined,
    headers: keepsBody ? headers : without(headers, 'content-type'),
  };
}

/** Returns the host of a URL, an IPv6 address without brackets. */
export function hostOf({ hostname }: URL): string {
  return hostname.startsWith('[') ? hostname.slice(1, -1) : hostname;
}

const REDIRECTS: ReadonlySet<number> = new Set([301, 302, 303, 307, 308]);
/** Statuses that keep method and body. The others change the method to GET. */
const KEEPS_METHOD: ReadonlySet<number> = new Set([307, 308]);

/** Headers that may be sent to another origin. Credentials and signatures may not. */
const PUBLIC_HEADERS: ReadonlySet<string> = new Set([
  'accept',
  'accept-language',
  'content-type',
  'user-agent',
]);

interface UrlRules {
  readonly allowPlainHttp: boolean | undefined;
  /** The port of the first URL in the form of `URL.port`. Absent for the first URL itself. */
  readonly firstPort?: string;
}

function targetOf(url: URL, { allowPlainHttp = false, firstPort = url.port }: UrlRules): Target {
  const isAllowed = url.protocol === 'https:' || (allowPlainHttp && url.protocol === 'http:');
  if (!isAllowed) throw refused(url, `scheme ${url.protocol} is not allowed`);
  if (url.username !== '' || url.password !== '') throw refused(url, 'credentials are not allowed');
  if (!isPortAllowed(url.port, firstPort)) throw refused(url, `port ${url.port} is not allowed`);
  const target = parseTarget(hostOf(url));
  if (target === undefined) throw refused(url, 'the host is not a public name');
  return target;
}

/** Allows 80 and 443 for either scheme, and the first URL's port if it is 1024 or higher. */
function isPortAllowed(port: string, firstPort: string): boolean {
  if (port === '' || port === '80' || port === '443') return true;
  return port === firstPort && Number(port) >= 1024;
}

function parseLocation(location: string, base: URL): URL {
  if (!URL.canParse(location, base.href)) {
    throw new UpstreamError('malformed', `${base.host} redirects to an invalid URL`);
  }
  return new URL(location, base);
}

function refused(url: URL, why: string): UpstreamError {
  return new UpstreamError('not-public', `request to ${url.host} refused: ${why}`);
}

function lowerCased(headers: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]));
}

function only(headers: Readonly<Record<string, string>>, names: ReadonlySet<string>): Record<string, string> {
  return Object.fromEntries(Object.entries(headers).filter(([name]) => names.has(name)));
}

function without(headers: Readonly<Record<string, string>>, name: string): Record<string, string> {
  return Object.fromEntries(Object.entries(headers).filter(([other]) => other !== name));
}
