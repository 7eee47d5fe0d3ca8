import { request as requestPlain, type IncomingMessage } from 'node:http';
import { request as requestTls } from 'node:https';
import { DownloadError } from './download-error.js';
import type { FetchLimits } from './fetch-limits.js';
import { isLoopback, type Mirror } from './mirror.js';

/** An answer whose body has not been read yet. Its bytes are those sent: no Content-Encoding is undone. */
export interface Answer {
  readonly status: number;
  readonly response: IncomingMessage;
  /** The URL that answered, after all redirects. May hold secrets. */
  readonly url: URL;
}

/** How to ask. */
export interface Asking {
  readonly headers: Readonly<Record<string, string>>;
  readonly limits: FetchLimits;
  readonly mirror: Mirror | undefined;
  /** Ends the request and the reading of the body. */
  readonly signal: AbortSignal;
}

/** Redirects that are followed. */
const MAX_REDIRECTS = 5;
const REDIRECTS = new Set([301, 302, 303, 307, 308]);

/**
 * A GET that follows redirects. Authorization is dropped for good where a redirect leaves the origin, and a way out of
 * TLS is refused. (node:http and not `fetch`, which unpacks bodies and so hides their length.) Throws DownloadError.
 */
export async function httpGet(url: URL, asking: Asking): Promise<Answer> {
  const { mirror } = asking;
  const headers = new Map(Object.entries({ ...ALWAYS, ...asking.headers }));
  let at = url;
  refuseInsecure(at, isLoopback(at));
  for (let redirects = 0; redirects <= MAX_REDIRECTS; redirects++) {
    const wire = mirror?.wireUrl(at) ?? at;
    const response = await send(wire, { ...asking, headers: Object.fromEntries(headers) });
    const status = response.statusCode ?? 0;
    const { location } = response.headers;
    if (!REDIRECTS.has(status) || location === undefined) return { status, response, url: at };
    response.destroy();
    if (!URL.canParse(location, wire.href))
      throw new DownloadError('redirects', `${at.host} redirects to no URL`);
    const target = new URL(location, wire);
    const next = mirror?.publisherUrl(target) ?? target;
    refuseInsecure(next, isLoopback(at));
    if (next.origin !== at.origin) headers.delete('Authorization');
    at = next;
  }
  throw new DownloadError('redirects', `more than ${MAX_REDIRECTS} redirects, the last one from ${at.host}`);
}

/** What an error of a connection means. */
export function connectionError(error: unknown, host: string): Error {
  if (!(error instanceof Error)) return new Error(String(error));
  if (error instanceof DownloadError) return error;
  if (error.name === 'AbortError' || error.name === 'TimeoutError') {
    return new DownloadError('timeout', `${host} took all the time there is`);
  }
  if (!('code' in error) || 'path' in error || DISK_ERRORS.has(String(error.code))) return error;
  return new DownloadError('network', `${host}: ${String(error.code)}`, { cause: error, mayPass: true });
}

/** Faults of this machine, which a body's way to the disk may end with: no publisher's fault. */
const DISK_ERRORS = new Set(['ENOSPC', 'EDQUOT', 'EIO', 'EROFS', 'EFBIG', 'EMFILE', 'ENFILE']);

const ALWAYS = { 'User-Agent': 'ipatlas', Accept: '*/*', 'Accept-Encoding': 'identity' } as const;

function refuseInsecure(url: URL, mayBeLoopback: boolean): void {
  if (url.protocol === 'https:' || (mayBeLoopback && isLoopback(url))) return;
  throw new DownloadError('insecure', `${url.protocol}//${url.host} is not https`);
}

function send(wire: URL, { headers, limits, signal }: Asking): Promise<IncomingMessage> {
  const { headersTimeoutMs } = limits;
  return new Promise((resolve, reject) => {
    const start = wire.protocol === 'https:' ? requestTls : requestPlain;
    // One connection per request: a kept one may be closed by the server at the moment of the next request.
    const request = start(wire, { headers, signal, agent: false });
    const timer = setTimeout(() => {
      const found = `no answer from ${wire.host} within ${headersTimeoutMs / 1000} s`;
      request.destroy(new DownloadError('timeout', found, { mayPass: true }));
    }, headersTimeoutMs);
    request.once('response', (response) => {
      clearTimeout(timer);
      resolve(response);
    });
    request.on('error', (error) => {
      clearTimeout(timer);
      reject(connectionError(error, wire.host));
    });
    request.end();
  });
}
