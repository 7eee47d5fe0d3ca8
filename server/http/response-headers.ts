import type { OutgoingHttpHeaders } from 'node:http';
import type { Window } from '../metering/meter.js';
import type { Exchange } from './exchange.js';

/** Names and values in turn, as `ServerResponse.writeHead` takes them without looking at each. */
export type HeaderList = string[];

/** Of every answer. */
const SECURITY = ['X-Content-Type-Options', 'nosniff', 'Referrer-Policy', 'no-referrer'] as const;

/** What scripts of other sites may read (ruling 13). */
const EXPOSED = [
  'X-RateLimit-Limit, X-RateLimit-Remaining, X-RateLimit-Reset, Retry-After',
  'X-Dataset-Hourly-Limit, X-Dataset-Hourly-Used, X-Dataset-Daily-Limit, X-Dataset-Daily-Used',
  'Content-Disposition, ETag, X-Request-Id, X-Data-Build, X-ECS-Scope, X-Auth, Deprecation',
].join(', ');

const CORS = ['Access-Control-Allow-Origin', '*', 'Access-Control-Expose-Headers', EXPOSED] as const;

/** Of answers that go to any site's scripts, and of those that do not. */
export const OPEN_HEADERS: readonly string[] = [...SECURITY, ...CORS];
export const CLOSED_HEADERS: readonly string[] = SECURITY;

/** What is answered depends on who asks, and how much is left to them: no cache may give it to anybody else. */
export const UNCACHED = ['Cache-Control', 'no-store'] as const;

/** Of a preflight's answer; X-API-Key is listed and never read (ruling 7). */
export const PREFLIGHT_HEADERS: readonly string[] = [
  ...[
    'Access-Control-Allow-Headers',
    'Authorization, Content-Type, X-API-Key, X-Request-Id, If-None-Match, If-Range, Range',
  ],
  ...['Access-Control-Max-Age', '86400'],
];

/** `?token=` has been deprecated as long as this server exists: RFC 9745 §2.1 wants the day, in Unix seconds. */
const TOKEN_DEPRECATED = '@1767225600';

/** The headers that an answer has whatever it says: who, how much is left, and what may be done with it. */
export function headersOf(exchange: Exchange): HeaderList {
  const { window, key } = exchange;
  const headers = [...exchange.fixedHeaders, 'X-Request-Id', exchange.id];
  if (window !== undefined) headers.push(...windowHeaders(window));
  if (key !== undefined) {
    if (key.inQuery) headers.push('Deprecation', TOKEN_DEPRECATED);
    if (exchange.isKeyInvalid) headers.push('X-Auth', 'invalid');
  }
  if (exchange.isLast()) headers.push('Connection', 'close');
  return headers;
}

/** What is left of a minute (ruling 1). */
export function windowHeaders({ limit, remaining, reset }: Window): readonly string[] {
  const left = String(remaining);
  const counts = ['X-RateLimit-Limit', String(limit), 'X-RateLimit-Remaining', left];
  counts.push('X-RateLimit-Reset', String(reset));
  return counts;
}

/** Adds named headers to a list. */
export function addHeaders(list: HeaderList, named: OutgoingHttpHeaders | undefined): void {
  for (const name in named) {
    const value = named[name];
    if (value !== undefined) list.push(name, Array.isArray(value) ? value.join(', ') : String(value));
  }
}
