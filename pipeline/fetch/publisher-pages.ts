import { parseMd5, parseSha256 } from './accept-file.js';
import { authorization, publicUrl, secretUrl, toldUrl } from './download-address.js';
import { DownloadError } from './download-error.js';
import type { PlannedDownload } from './download-plan.js';
import type { Asking } from './http-get.js';
import type { JobParts } from './known-download.js';
import { PAGE_BYTES, parseLink } from './linked-url.js';
import { publishedText } from './published-text.js';

/** Maximum length of a text with a checksum. */
const CHECKSUM_BYTES = 4096;

/** Requests the sha256 of a file; absent when the publisher has none, or none for this time yet. */
export async function publishedSha256(
  parts: JobParts,
  { download: { sha256Url } }: PlannedDownload,
  time: Date,
): Promise<string | undefined> {
  if (sha256Url === undefined) return undefined;
  return readText(parts, { address: publicUrl(sha256Url, time), maxBytes: CHECKSUM_BYTES }, parseSha256);
}

/** Requests the md5 of a file; absent when the publisher has none. */
export async function publishedMd5(
  parts: JobParts,
  { download: { md5Url } }: PlannedDownload,
): Promise<string | undefined> {
  if (md5Url === undefined) return undefined;
  return readText(parts, { address: md5Url, maxBytes: CHECKSUM_BYTES }, parseMd5);
}

/** Requests the page that links a file and returns the file's URL. Throws DownloadError without such a page. */
export async function linkedUrl(parts: JobParts, page: string, link: RegExp): Promise<string> {
  const parse = (text: string): string => parseLink(text, link);
  const address = await readText(parts, { address: page, maxBytes: PAGE_BYTES }, parse);
  if (address !== undefined) return address;
  throw new DownloadError('http', `HTTP 404: not found: ${toldUrl(page)}`);
}

/** Returns the request options of a download. */
export function askingOf({ context, budget }: JobParts): Omit<Asking, 'headers'> {
  const { limits, mirror, publicOnly = false } = context;
  return { limits, mirror, publicOnly, signal: budget.signal };
}

function readText(
  parts: JobParts,
  { address, maxBytes }: { readonly address: string; readonly maxBytes: number },
  parse: (text: string) => string,
): Promise<string | undefined> {
  const { planned, context, secrets } = parts;
  const request = {
    url: secretUrl(address, secrets),
    asking: askingOf(parts),
    authorization: authorization(planned.download, secrets),
    now: context.now,
    maxBytes,
  };
  return publishedText(request, parse);
}
