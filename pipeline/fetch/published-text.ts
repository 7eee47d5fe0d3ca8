import type { FetchLimits } from './fetch-limits.js';
import { httpGet, type Asking } from './http-get.js';
import { receiveText } from './receive-body.js';
import { withRetries } from './retries.js';
import { statusError } from './transfer.js';

/** A request for a text about a file. */
export interface TextRequest {
  readonly url: URL;
  readonly asking: Omit<Asking, 'headers'> & { readonly limits: FetchLimits };
  readonly authorization: string | undefined;
  readonly now: () => Date;
  /** Number of bytes to read. */
  readonly maxBytes: number;
}

/**
 * Requests and parses a publisher's text about a file, such as a checksum or a page with its URL; absent for a 404.
 * Throws DownloadError, also when `parse` does.
 */
export async function publishedText(
  { url, asking, authorization, now, maxBytes }: TextRequest,
  parse: (text: string) => string,
): Promise<string | undefined> {
  const { limits, signal } = asking;
  return withRetries(limits, signal, async () => {
    const headers = authorization === undefined ? {} : { Authorization: authorization };
    const answer = await httpGet(url, { ...asking, headers });
    if (answer.status === 200) return parse(await receiveText(answer, limits.idleTimeoutMs, maxBytes));
    answer.response.destroy();
    if (answer.status === 404) return undefined;
    throw statusError(answer, now());
  });
}
