import type { OutgoingHttpHeaders } from 'node:http';
import type { Window } from '../ledger/meters/meter.js';
import type { Exchange } from './exchange.js';
import { mustCloseAfter } from './unread-body.js';

/** Names and values in turn, the form that `ServerResponse.writeHead` copies without checking each. */
export type HeaderList = string[];

/** Headers of every answer (decision 63). */
export const SECURITY: readonly string[] = [
  ...['X-Content-Type-Options', 'nosniff', 'Referrer-Policy', 'no-referrer'],
  ...['Content-Security-Policy', "default-src 'none'"],
];

/** Headers of pages for people: they load styles, scripts and pictures from this server only (decision 90). */
export const PAGE_HEADERS: readonly string[] = [
  ...SECURITY.slice(0, -2),
  'Content-Security-Policy',
  [
    "default-src 'none'; style-src 'self'; script-src 'self'; img-src 'self'; connect-src 'self'",
    "form-action 'self'; base-uri 'none'; frame-ancestors 'none'",
  ].join('; '),
];

/** Headers that scripts of other origins may read (decision 13). */
const EXPOSED = [
  'X-RateLimit-Limit, X-RateLimit-Remaining, X-RateLimit-Reset, Retry-After',
  'X-Dataset-Hourly-Limit, X-Dataset-Hourly-Used, X-Dataset-Daily-Limit, X-Dataset-Daily-Used',
  'Content-Disposition, ETag, Link, X-Request-Id, X-Data-Build, X-ECS-Scope, X-Auth, Deprecation',
].join(', ');

const CORS = ['Access-Control-Allow-Origin', '*', 'Access-Control-Expose-Headers', EXPOSED] as const;

/** Headers of answers that scripts of any origin may read. */
export const OPEN_HEADERS: readonly string[] = [...SECURITY, ...CORS];
/** Headers of all other answers. */
export const CLOSED_HEADERS: readonly string[] = SECURITY;

/** Answers depend on the caller and its remaining limits, so caches must not store them. */
export const UNCACHED = ['Cache-Control', 'no-store'] as const;

/** Of documents that caches keep and ask for again with their ETag. */
export const REVALIDATED = ['Cache-Control', 'no-cache'] as const;

/** Headers of the answer to a CORS preflight. X-API-Key is listed but never read (decision 7). */
export const PREFLIGHT_HEADERS: readonly string[] = [
  'Access-Control-Allow-Headers',
  'Authorization, Content-Type, X-API-Key, X-Request-Id, If-None-Match, If-Range, Range',
  'Access-Control-Max-Age',
  '86400',
];

/** Date of the deprecation of `?token=`, in Unix seconds (RFC 9745 §2.1). */
const TOKEN_DEPRECATED = '@1767225600';

/** Returns the headers of every answer in this exchange: fixed headers, request id, limits and key state. */
export function headersOf(exchange: Exchange): HeaderList {
  const { window, key } = exchange;
  const headers = [...exchange.fixedHeaders, 'X-Request-Id', exchange.id];
  if (window !== undefined) headers.push(...windowHeaders(window));
  if (key !== undefined) {
    if (key.inQuery) headers.push('Deprecation', TOKEN_DEPRECATED);
    if (exchange.isKeyInvalid) headers.push('X-Auth', 'invalid');
  }
  if (exchange.isLast() || mustCloseAfter(exchange.ctx.req)) headers.push('Connection', 'close');
  return headers;
}

/** Returns the X-RateLimit headers (decision 1). */
export function windowHeaders({ limit, remaining, reset }: Window): readonly string[] {
  const left = String(remaining);
  const counts = ['X-RateLimit-Limit', String(limit), 'X-RateLimit-Remaining', left];
  counts.push('X-RateLimit-Reset', String(reset));
  return counts;
}

/** Adds headers to a list; a header that is there gets the new value. Names have the same case in both. */
export function replaceHeaders(list: HeaderList, named: Readonly<Record<string, string>> = {}): void {
  for (const [name, value] of Object.entries(named)) {
    const at = list.findIndex((text, i) => i % 2 === 0 && text === name);
    if (at < 0) list.push(name, value);
    else list[at + 1] = value;
  }
}

/** Appends headers to a list. */
export function addHeaders(list: HeaderList, named: OutgoingHttpHeaders | undefined): void {
  for (const name in named) {
    const value = named[name];
    if (value !== undefined) list.push(name, Array.isArray(value) ? value.join(', ') : String(value));
  }
}
