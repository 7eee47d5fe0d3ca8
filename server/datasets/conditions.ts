import type { IncomingHttpHeaders } from 'node:http';
import type { DatasetFile } from '../release/snapshot.js';

/** The strong validator of a file: its sha256. */
export function etagOf({ sha256 }: DatasetFile): string {
  return `"${sha256}"`;
}

/** The time of a file as HTTP tells it. */
export function lastModifiedOf({ modified }: DatasetFile): string {
  return new Date(modified * 1000).toUTCString();
}

/** Whether the caller has this very file: RFC 9110 §13.1.2, and §13.1.3 where no If-None-Match was sent. */
export function isNotModified(headers: IncomingHttpHeaders, file: DatasetFile): boolean {
  const tags = headers['if-none-match'];
  if (tags !== undefined) return tags.trim() === '*' || tagsOf(tags).includes(etagOf(file));
  const since = Date.parse(headers['if-modified-since'] ?? '');
  return file.modified * 1000 <= since;
}

/** Whether a Range may be followed: without If-Range, or with that of this file (RFC 9110 §13.1.5, strong). */
export function isSameFile(headers: IncomingHttpHeaders, file: DatasetFile): boolean {
  const condition = headers['if-range']?.toString().trim();
  if (condition === undefined) return true;
  if (condition.startsWith('"')) return condition === etagOf(file);
  return condition === lastModifiedOf(file);
}

/** If-None-Match compares weakly: `W/"x"` is as good as `"x"`. */
function tagsOf(list: string): string[] {
  return list.split(',').map((tag) => tag.trim().replace(/^W\//, ''));
}
