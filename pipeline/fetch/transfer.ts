import { rm, stat } from 'node:fs/promises';
import type { IncomingHttpHeaders } from 'node:http';
import { DownloadError } from './download-error.js';
import type { DownloadState } from './download-state.js';
import { fileName } from './file-name.js';
import { httpGet, type Answer, type Asking } from './http-get.js';
import type { PlannedDownload } from './download-plan.js';
import { receiveBody } from './receive-body.js';
import { parseRetryAfter } from './retry-after.js';

/** Where one attempt finds and leaves things. */
export interface Attempt {
  readonly planned: PlannedDownload;
  /** The URL to ask for, secrets included. */
  readonly url: URL;
  /** The same, fit to be kept. */
  readonly keptUrl: string;
  readonly part: string;
  readonly state: DownloadState;
  /** Whether the kept copy still lies there: only then may the publisher answer "unchanged". */
  readonly holdsCopy: boolean;
  readonly asking: Omit<Asking, 'headers'> & { readonly authorization: string | undefined };
  readonly now: () => Date;
  /** Remembers what the file at `part` is about to become the beginning of. */
  readonly keepPartial: (partial: NonNullable<DownloadState['partial']>) => Promise<void>;
  readonly onBytes: (done: number, total: number | undefined) => void;
}

/** What an attempt came to: the copy is up to date, there is no such file (404), or a whole file lies at `part`. */
export type Transfer =
  { readonly kind: 'unchanged' } | { readonly kind: 'absent' } | ({ readonly kind: 'received' } & Received);

/** A whole file at `part`. */
export interface Received {
  readonly sizeBytes: number;
  readonly remote: Remote;
}

/** What the publisher says about a file. */
export type Remote = NonNullable<DownloadState['partial']>;

/**
 * Asks once, on condition that the file has changed, or for the rest of what an earlier attempt has left. Throws
 * DownloadError; what has come until then stays in the part file and is continued by the next attempt.
 */
export async function transfer(attempt: Attempt): Promise<Transfer> {
  const { url, asking, part } = attempt;
  const resumable = await resumableBytes(attempt);
  const answer = await httpGet(url, { ...asking, headers: requestHeaders(attempt, resumable) });
  const { status } = answer;
  if (status === 200) return receive(attempt, answer, 0);
  if (status === 206 && resumable > 0) {
    if (continues(attempt, answer, resumable)) return receive(attempt, answer, resumable);
    return startAgain(part, answer, 'another piece came than the one asked for');
  }
  answer.response.destroy();
  if (status === 304 && resumable === 0 && attempt.holdsCopy) return { kind: 'unchanged' };
  if (status === 416 && resumable > 0) {
    if (answer.response.headers['content-range'] === `bytes */${resumable}`) {
      return { kind: 'received', sizeBytes: resumable, remote: attempt.state.partial! };
    }
    return startAgain(part, answer, 'there is no rest of the file to be had');
  }
  if (status === 404) return { kind: 'absent' };
  throw statusError(answer, attempt.now());
}

/** Bytes at hand of the version that the publisher may still have. */
async function resumableBytes({ state: { partial }, keptUrl, part }: Attempt): Promise<number> {
  if (partial?.url !== keptUrl || strongValidator(partial) === undefined) return 0;
  const found = await stat(part).catch(() => undefined);
  return found?.size ?? 0;
}

/** If-Range takes no weak ETag (RFC 9110 §13.1.5). */
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

/** Whether a 206 is the rest of the very file whose beginning is at hand. */
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
    // What an earlier version has left must not be taken for the beginning of this one.
    await rm(part, { force: true });
    await attempt.keepPartial(remote);
  }
  const { idleTimeoutMs, maxBytes: most } = asking.limits;
  const maxBytes = Math.min(most, planned.download.maxBytes ?? most);
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
  throw new DownloadError('name', 'neither the URL nor the answer says a file name that fits');
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

/** What a status that is no answer means. */
export function statusError({ status, response, url }: Answer, now: Date): DownloadError {
  const found = `${url.host} answers HTTP ${status}`;
  const retryAfterMs = parseRetryAfter(response.headers['retry-after'], now);
  if (status === 429) return new DownloadError('throttled', found, { retryAfterMs });
  if (status === 401 || status === 403) return new DownloadError('http', `${found}: is the key right?`);
  return new DownloadError('http', found, { mayPass: status >= 500 || status === 408, retryAfterMs });
}
