import type { IncomingMessage } from 'node:http';

/**
 * Limit of the header lines of a request. Node drops lines beyond `maxHeadersCount` silently; a dropped X-Forwarded-For
 * would make every caller behind a proxy appear as the proxy.
 */
export const MOST_HEADER_LINES = 100;

/** Returns whether a request has too many header lines. Needs `maxHeadersCount` above the limit. */
export function hasTooManyLines({ rawHeaders }: IncomingMessage): boolean {
  return rawHeaders.length > 2 * MOST_HEADER_LINES;
}

/** Returns the number of Host lines. `headers.host` is the first one. */
export function hostLinesOf({ rawHeaders }: IncomingMessage): number {
  let lines = 0;
  for (let i = 0; i < rawHeaders.length; i += 2) {
    const name = rawHeaders[i]!;
    if (name.length === HOST.length && name.toLowerCase() === HOST) lines++;
  }
  return lines;
}

const HOST = 'host';
