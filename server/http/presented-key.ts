import type { IncomingHttpHeaders } from 'node:http';
import type { Query } from './query.js';

/** A key as the caller sent it. */
export interface PresentedKey {
  readonly key: string;
  /** It came as `?token=`, which is deprecated. */
  readonly inQuery: boolean;
}

/** Longer ones are no keys of ours: cut before anything is hashed or kept. */
const LONGEST_KEY = 200;

/** The key of a call: `Authorization: Bearer` before `?token=` (ruling 7). X-API-Key is not read. */
export function presentedKey(headers: IncomingHttpHeaders, query: Query): PresentedKey | undefined {
  const { authorization } = headers;
  if (authorization !== undefined) {
    const key = BEARER.exec(authorization)?.[1];
    if (key !== undefined) return { key: key.slice(0, LONGEST_KEY), inQuery: false };
  }
  const { token } = query;
  return token === undefined || token === ''
    ? undefined
    : { key: token.slice(0, LONGEST_KEY), inQuery: true };
}

/** RFC 9110 §11.1: the scheme is case-insensitive. */
const BEARER = /^bearer +(\S+) *$/i;
