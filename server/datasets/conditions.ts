import type { IncomingHttpHeaders } from 'node:http';
import { isTagListed } from '../entity-tag.js';
import type { SentFile } from '../release/snapshot.js';

/** Returns the strong validator of a file: its sha256. */
export function etagOf({ sha256 }: SentFile): string {
  return `"${sha256}"`;
}

/** Returns the modification time as an HTTP date. */
export function lastModifiedOf({ modified }: SentFile): string {
  return new Date(modified * 1000).toUTCString();
}

/** Returns whether the caller has this file: RFC 9110 §13.1.2, or §13.1.3 without If-None-Match. */
export function isNotModified(headers: IncomingHttpHeaders, file: SentFile): boolean {
  const tags = headers['if-none-match'];
  if (tags !== undefined) return isTagListed(tags, etagOf(file));
  const date = headers['if-modified-since'] ?? '';
  return date.length <= LONGEST_DATE && file.modified * 1000 <= Date.parse(date);
}

/** HTTP dates have at most 33 characters (RFC 9110 §5.6.7). `Date.parse` takes 0.1 ms for 15 kB. */
const LONGEST_DATE = 64;

/** Returns whether If-Range is absent or matches this file (RFC 9110 §13.1.5, strong comparison). */
export function isSameFile(headers: IncomingHttpHeaders, file: SentFile): boolean {
  const condition = headers['if-range']?.toString().trim();
  if (condition === undefined) return true;
  if (condition.startsWith('"')) return condition === etagOf(file);
  return condition === lastModifiedOf(file);
}
