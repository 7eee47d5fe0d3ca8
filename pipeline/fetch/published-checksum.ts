import { statusError } from './transfer.js';
import type { FetchLimits } from './fetch-limits.js';
import { httpGet, type Asking } from './http-get.js';
import { receiveText } from './receive-body.js';
import { withRetries } from './retries.js';

/** How to ask for a checksum. */
export interface ChecksumRequest {
  readonly url: URL;
  readonly asking: Omit<Asking, 'headers'> & { readonly limits: FetchLimits };
  readonly authorization: string | undefined;
  readonly now: () => Date;
}

/**
 * The checksum in a publisher's text beside a file; absent where there is no such text (404). `parse` throws where the text
 * holds none. Throws DownloadError.
 */
export async function publishedChecksum(
  { url, asking, authorization, now }: ChecksumRequest,
  parse: (text: string) => string,
): Promise<string | undefined> {
  const { limits, signal } = asking;
  return withRetries(limits, signal, async () => {
    const headers = authorization === undefined ? {} : { Authorization: authorization };
    const answer = await httpGet(url, { ...asking, headers });
    if (answer.status === 200) return parse(await receiveText(answer, limits.idleTimeoutMs));
    answer.response.destroy();
    if (answer.status === 404) return undefined;
    throw statusError(answer, now());
  });
}
