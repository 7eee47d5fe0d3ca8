import type { FetchLimits } from './fetch-limits.js';
import { httpGet, type Asking } from './http-get.js';
import { receiveText } from './receive-body.js';
import { withRetries } from './retries.js';
import { statusError } from './transfer.js';

/** How to ask for a text that says something of a file. */
export interface TextRequest {
  readonly url: URL;
  readonly asking: Omit<Asking, 'headers'> & { readonly limits: FetchLimits };
  readonly authorization: string | undefined;
  readonly now: () => Date;
  /** Bytes of it that are looked at. */
  readonly maxBytes: number;
}

/**
 * What a publisher's text beside a file says, a checksum or the file's own URL; absent where there is no such text
 * (404). `parse` throws where it does not say it. Throws DownloadError.
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
