import { DownloadError } from './download-error.js';

/** Bytes of a page that are searched, far above the usual size. */
export const PAGE_BYTES = 4_000_000;

/**
 * Returns the matching URL in a page; of several, the last by file name, because dated names sort by date. Throws
 * DownloadError `name` without a match.
 */
export function parseLink(page: string, link: RegExp): string {
  const found = [...page.matchAll(new RegExp(link, 'g'))].map(([url]) => url);
  const last = found.reduce<string | undefined>(
    (kept, url) => (kept !== undefined && fileNameOf(kept) >= fileNameOf(url) ? kept : url),
    undefined,
  );
  if (last === undefined) throw new DownloadError('name', 'the page has no link to the file');
  return last;
}

function fileNameOf(url: string): string {
  return url.slice(url.lastIndexOf('/') + 1);
}
