import { request as requestPlain, type IncomingMessage } from 'node:http';
import { request as requestTls } from 'node:https';
import { DownloadError } from './download-error.js';
import type { FetchLimits } from './fetch-limits.js';
import { isLoopback, type Mirror } from './mirror.js';
import { lookupPublic, refuseAddress } from './public-lookup.js';

/** A response with an unread body. The bytes are as sent; no Content-Encoding is decoded. */
export interface Answer {
  readonly status: number;
  readonly response: IncomingMessage;
  /** The URL after all redirects. May contain secrets. */
  readonly url: URL;
}

/** Options of a request. */
export interface Asking {
  readonly headers: Readonly<Record<string, string>>;
  readonly limits: FetchLimits;
  readonly mirror: Mirror | undefined;
  /** Refuses hosts that are addresses or have other than public addresses. A mirror is not checked. */
  readonly publicOnly?: boolean;
  /** Aborts the request and the reading of the body. */
  readonly signal: AbortSignal;
}

/** Maximum number of redirects. */
const MAX_REDIRECTS = 5;
const REDIRECTS = new Set([301, 302, 303, 307, 308]);

/**
 * Sends a GET and follows redirects. Drops Authorization for good when a redirect leaves the origin, and refuses
 * redirects away from TLS. (Not `fetch`, which decodes bodies and hides their length.) Throws DownloadError.
 */
export async function httpGet(url: URL, asking: Asking): Promise<Answer> {
  const { mirror } = asking;
  const headers = new Map(Object.entries({ ...ALWAYS, ...asking.headers }));
  let at = url;
  refuseInsecure(at, isLoopback(at));
  for (let redirects = 0; redirects <= MAX_REDIRECTS; redirects++) {
    if (asking.publicOnly === true && mirror === undefined) refuseAddress(at);
    const wire = mirror?.wireUrl(at) ?? at;
    const response = await send(wire, { ...asking, headers: Object.fromEntries(headers) });
    const status = response.statusCode ?? 0;
    const { location } = response.headers;
    if (!REDIRECTS.has(status) || location === undefined) return { status, response, url: at };
    response.destroy();
    if (!URL.canParse(location, wire.href))
      throw new DownloadError('redirects', `${at.host} redirects to an invalid URL`);
    const target = new URL(location, wire);
    const next = mirror?.publisherUrl(target) ?? target;
    refuseInsecure(next, isLoopback(at));
    if (next.origin !== at.origin) headers.delete('Authorization');
    at = next;
  }
  throw new DownloadError('redirects', `more than ${MAX_REDIRECTS} redirects, the last one from ${at.host}`);
}

/** Converts an error of a connection to a DownloadError; errors of this machine stay unchanged. */
export function connectionError(error: unknown, host: string): Error {
  if (!(error instanceof Error)) return new Error(String(error));
  if (error instanceof DownloadError) return error;
  if (error.name === 'AbortError' || error.name === 'TimeoutError') {
    return new DownloadError('timeout', `${host} exceeded the time limit`);
  }
  if (!('code' in error) || 'path' in error || DISK_ERRORS.has(String(error.code))) return error;
  return new DownloadError('network', `${host}: ${String(error.code)}`, { cause: error, mayPass: true });
}

/** Disk errors of this machine while writing a body. */
const DISK_ERRORS = new Set(['ENOSPC', 'EDQUOT', 'EIO', 'EROFS', 'EFBIG', 'EMFILE', 'ENFILE']);

const ALWAYS = { 'User-Agent': 'ipatlas', Accept: '*/*', 'Accept-Encoding': 'identity' } as const;

function refuseInsecure(url: URL, mayBeLoopback: boolean): void {
  if (url.protocol === 'https:' || (mayBeLoopback && isLoopback(url))) return;
  throw new DownloadError('insecure', `${url.protocol}//${url.host} is not https`);
}

function send(wire: URL, { headers, limits, signal, mirror, publicOnly }: Asking): Promise<IncomingMessage> {
  const { headersTimeoutMs } = limits;
  return new Promise((resolve, reject) => {
    const start = wire.protocol === 'https:' ? requestTls : requestPlain;
    // One connection per request: the server may close a kept one just when the next request is sent.
    const lookup = publicOnly === true && mirror === undefined ? { lookup: lookupPublic } : {};
    const request = start(wire, { headers, signal, agent: false, ...lookup });
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
