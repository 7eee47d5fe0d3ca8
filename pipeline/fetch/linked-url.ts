import { DownloadError } from './download-error.js';

/** Far more than a page with a link has. */
export const PAGE_BYTES = 4_000_000;

/**
 * The URL in a page that matches, of several the last by file name: dated names sort by their dates. Throws
 * DownloadError `name` where there is none.
 */
export function parseLink(page: string, link: RegExp): string {
  const found = [...page.matchAll(new RegExp(link, 'g'))].map(([url]) => url);
  const last = found.reduce<string | undefined>(
    (kept, url) => (kept !== undefined && fileNameOf(kept) >= fileNameOf(url) ? kept : url),
    undefined,
  );
  if (last === undefined) throw new DownloadError('name', 'the page links no such file');
  return last;
}

function fileNameOf(url: string): string {
  return url.slice(url.lastIndexOf('/') + 1);
}
