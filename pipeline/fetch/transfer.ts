import { rm, stat } from 'node:fs/promises';
import type { IncomingHttpHeaders } from 'node:http';
import { DownloadError } from './download-error.js';
import type { DownloadState } from './download-state.js';
import { fileName } from './file-name.js';
import { httpGet, type Answer, type Asking } from './http-get.js';
import { largestUnpacked, type PlannedDownload } from './download-plan.js';
import { receiveBody } from './receive-body.js';

/** The input of one attempt. */
export interface Attempt {
  readonly planned: PlannedDownload;
  /** The URL with secrets. */
  readonly url: URL;
  /** The URL for the state, without secrets. */
  readonly keptUrl: string;
  readonly part: string;
  readonly state: DownloadState;
  /** Whether the kept copy exists. Only then is the request conditional. */
  readonly holdsCopy: boolean;
  readonly asking: Omit<Asking, 'headers'> & { readonly authorization: string | undefined };
  readonly now: () => Date;
  /** Stores which file the bytes at `part` belong to. */
  readonly keepPartial: (partial: NonNullable<DownloadState['partial']>) => Promise<void>;
  readonly onBytes: (done: number, total: number | undefined) => void;
}

/** The result of an attempt: the copy is up to date, the file does not exist (404), or a whole file is at `part`. */
export type Transfer =
  { readonly kind: 'unchanged' } | { readonly kind: 'absent' } | ({ readonly kind: 'received' } & Received);

/** A whole file at `part`. */
export interface Received {
  readonly sizeBytes: number;
  readonly remote: Remote;
}

/** The publisher's metadata of a file. */
export type Remote = NonNullable<DownloadState['partial']>;

/**
 * Sends one request: conditional, or for the rest of a partial file. Throws DownloadError; received bytes stay in the
 * partial file, and the next attempt resumes it.
 */
export async function transfer(attempt: Attempt): Promise<Transfer> {
  const { url, asking, part } = attempt;
  const resumable = await resumableBytes(attempt);
  const answer = await httpGet(url, { ...asking, headers: requestHeaders(attempt, resumable) });
  const { status } = answer;
  if (status === 200) return receive(attempt, answer, 0);
  if (status === 206 && resumable > 0) {
    if (continues(attempt, answer, resumable)) return receive(attempt, answer, resumable);
    return startAgain(part, answer, 'the response is not the requested range');
  }
  answer.response.destroy();
  if (status === 304 && resumable === 0 && attempt.holdsCopy) return { kind: 'unchanged' };
  if (status === 416 && resumable > 0) {
    if (answer.response.headers['content-range'] === `bytes */${resumable}`) {
      return { kind: 'received', sizeBytes: resumable, remote: attempt.state.partial! };
    }
    return startAgain(part, answer, 'the rest of the file is not available');
  }
  if (status === 404) return { kind: 'absent' };
  throw statusError(answer, attempt.now());
}

/** Returns the bytes of the partial file that a request can resume; 0 without a validator. */
async function resumableBytes({ state: { partial }, keptUrl, part }: Attempt): Promise<number> {
  if (partial?.url !== keptUrl || strongValidator(partial) === undefined) return 0;
  const found = await stat(part).catch(() => undefined);
  return found?.size ?? 0;
}

/** Returns a validator for If-Range, which does not allow a weak ETag (RFC 9110 §13.1.5). */
function strongValidator({ etag, lastModified }: Remote): string | undefined {
  return etag !== undefined && !etag.startsWith('W/') ? etag : lastModified;
}

function requestHeaders(attempt: Attempt, resumable: number): Record<string, string> {
  const { state, holdsCopy, keptUrl, asking } = attempt;
  const headers: Record<string, string> = {};
  if (asking.authorization !== undefined) headers['Authorization'] = asking.authorization;
  if (resumable > 0) {
    headers['Range'] = `bytes=${resumable}-`;
    headers['If-Range'] = strongValidator(state.partial!)!;
  } else if (holdsCopy && state.copy?.url === keptUrl) {
    if (state.copy.etag !== undefined) headers['If-None-Match'] = state.copy.etag;
    if (state.copy.lastModified !== undefined) headers['If-Modified-Since'] = state.copy.lastModified;
  }
  return headers;
}

/** Returns whether a 206 continues the partial file. */
function continues({ state }: Attempt, { response }: Answer, resumable: number): boolean {
  const { etag, 'content-range': range } = response.headers;
  const [, first] = /^bytes (\d+)-\d+\/(?:\d+|\*)$/.exec(range ?? '') ?? [];
  return Number(first) === resumable && (etag === undefined || etag === state.partial?.etag);
}

async function startAgain(part: string, { response, url }: Answer, found: string): Promise<never> {
  response.destroy();
  await rm(part, { force: true });
  throw new DownloadError('truncated', `${url.host}: ${found}`, { mayPass: true });
}

async function receive(attempt: Attempt, answer: Answer, from: number): Promise<Transfer> {
  const { planned, asking, part, onBytes, state } = attempt;
  let remote = state.partial;
  if (from === 0 || !remote) {
    remote = remoteFile(attempt, answer);
    // A partial file of an earlier version must not become the start of this one.
    await rm(part, { force: true });
    await attempt.keepPartial(remote);
  }
  const { idleTimeoutMs, maxBytes: most } = asking.limits;
  const { download } = planned;
  // A packed file is not larger than its content; an archive has many files.
  const mostOfFile = download.archive ? most : largestUnpacked(planned);
  const maxBytes = Math.min(most, download.maxBytes ?? most, mostOfFile);
  const sizeBytes = await receiveBody(answer, { path: part, from, idleTimeoutMs, maxBytes, onBytes });
  return { kind: 'received', sizeBytes, remote };
}

function remoteFile({ planned, url, keptUrl }: Attempt, answer: Answer): Remote {
  const { headers } = answer.response;
  const { saveAs, archive } = planned.download;
  const disposition = headers['content-disposition'];
  const urls = [url, answer.url];
  const name = archive ? saveAs : fileName(planned.files[0]!, { urls, disposition, saveAs });
  if (name !== undefined) return { url: keptUrl, name, ...validatorsOf(headers) };
  answer.response.destroy();
  throw new DownloadError('name', 'neither the URL nor the response has a matching file name');
}

function validatorsOf({ etag, 'last-modified': lastModified }: IncomingHttpHeaders): {
  etag?: string;
  lastModified?: string;
} {
  return {
    ...(etag === undefined ? {} : { etag }),
    ...(lastModified === undefined || Number.isNaN(Date.parse(lastModified)) ? {} : { lastModified }),
  };
}

/** Converts an error status to a DownloadError. */
export function statusError({ status, response, url }: Answer, now: Date): DownloadError {
  const found = `${url.host} answers HTTP ${status}`;
  const retryAfterMs = parseRetryAfter(response.headers['retry-after'], now);
  if (status === 429) return new DownloadError('throttled', found, { retryAfterMs });
  if (status === 401 || status === 403) return new DownloadError('http', `${found}: check the credentials`);
  return new DownloadError('http', found, { mayPass: status >= 500 || status === 408, retryAfterMs });
}

/** Parses a Retry-After header (RFC 9110 §10.2.3: seconds or a date) to ms; absent when it is neither. */
export function parseRetryAfter(text: string | undefined, now: Date): number | undefined {
  if (text === undefined) return undefined;
  const waitMs = /^\d+$/.test(text.trim()) ? Number(text) * 1000 : Date.parse(text) - now.getTime();
  return Number.isNaN(waitMs) ? undefined : Math.min(LONGEST_MS, Math.max(0, waitMs));
}

/** Longer waits are cut to a week. */
const LONGEST_MS = 7 * 24 * 3_600_000;
