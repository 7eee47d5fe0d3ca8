import { parseTarget, type Target } from '../targets/target.js';
import { UpstreamError } from '../upstream-error.js';
import type { HttpRequest } from './http-client.js';

/** One of the requests that a call may need. */
export interface Hop {
  readonly url: URL;
  readonly target: Target;
  readonly method: 'GET' | 'POST';
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Uint8Array | undefined;
}

/** What a request begins with. Throws UpstreamError for a URL that is not asked. */
export function firstHop({ url, method = 'GET', headers = {}, body, allowPlainHttp }: HttpRequest): Hop {
  return { url, target: targetOf(url, { allowPlainHttp }), method, headers: lowerCased(headers), body };
}

/**
 * Where a reply sends us (RFC 9110 §15.4); absent when it does not. Throws UpstreamError when that is nowhere we go:
 * another scheme, somebody's credentials, or a port that is neither the scheme's own nor the one we began with.
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
  const headers = url.origin === hop.url.origin ? hop.headers : only(hop.headers, FOR_ANYBODY);
  return {
    ...{ url, target, method: keepsBody ? hop.method : 'GET', body: keepsBody ? hop.body : undefined },
    headers: keepsBody ? headers : without(headers, 'content-type'),
  };
}

/** The host of a URL as text: IPv6 without brackets. */
export function hostOf({ hostname }: URL): string {
  return hostname.startsWith('[') ? hostname.slice(1, -1) : hostname;
}

const REDIRECTS: ReadonlySet<number> = new Set([301, 302, 303, 307, 308]);
/** The others make a GET of whatever it was. */
const KEEPS_METHOD: ReadonlySet<number> = new Set([307, 308]);

/** What may be told to another origin; credentials and signatures may not. */
const FOR_ANYBODY: ReadonlySet<string> = new Set(['accept', 'accept-language', 'content-type', 'user-agent']);

interface UrlRules {
  readonly allowPlainHttp: boolean | undefined;
  /** As `URL.port` has it. Absent for the first URL itself. */
  readonly firstPort?: string;
}

function targetOf(url: URL, { allowPlainHttp = false, firstPort = url.port }: UrlRules): Target {
  const isTaken = url.protocol === 'https:' || (allowPlainHttp && url.protocol === 'http:');
  if (!isTaken) throw refused(url, `${url.protocol} is not taken`);
  if (url.username !== '' || url.password !== '') throw refused(url, 'it has credentials');
  if (!isPortTaken(url.port, firstPort)) throw refused(url, `port ${url.port} is not taken`);
  const target = parseTarget(hostOf(url));
  if (target === undefined) throw refused(url, 'its host is no public name');
  return target;
}

/** 80 and 443 for either scheme; another one only above the ports of mail and the like, and if it was there first. */
function isPortTaken(port: string, firstPort: string): boolean {
  if (port === '' || port === '80' || port === '443') return true;
  return port === firstPort && Number(port) >= 1024;
}

function parseLocation(location: string, base: URL): URL {
  if (!URL.canParse(location, base.href)) {
    throw new UpstreamError('malformed', `${base.host} sent us to what is no URL`);
  }
  return new URL(location, base);
}

function refused(url: URL, why: string): UpstreamError {
  return new UpstreamError('not-public', `${url.host} is not asked: ${why}`);
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
