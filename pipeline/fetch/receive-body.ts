import { open } from 'node:fs/promises';
import { DownloadError } from './download-error.js';
import { connectionError, type Answer } from './http-get.js';

/** Target and limits of a body. */
export interface Receiving {
  readonly path: string;
  /** Bytes of the file to keep; the body continues after them. */
  readonly from: number;
  readonly idleTimeoutMs: number;
  /** Largest size of the whole file. */
  readonly maxBytes: number;
  /** Receives the bytes so far, and the total if the server states it. */
  readonly onBytes: (done: number, total: number | undefined) => void;
}

/**
 * Writes a body to a file, syncs it and returns its size. Throws DownloadError `timeout` when the body stalls,
 * `truncated` when it ends early and `large` when it exceeds `maxBytes`. The received bytes stay in the file.
 */
export async function receiveBody(answer: Answer, receiving: Receiving): Promise<number> {
  const { response, url } = answer;
  const { path, from, idleTimeoutMs, maxBytes, onBytes } = receiving;
  const announced = contentLength(answer);
  const total = announced === undefined ? undefined : from + announced;
  if ((total ?? from) > maxBytes) {
    response.destroy();
    throw tooLarge(maxBytes);
  }
  const timer = setTimeout(() => {
    const found = `no data from ${url.host} for ${idleTimeoutMs / 1000} s`;
    response.destroy(new DownloadError('timeout', found, { mayPass: true }));
  }, idleTimeoutMs);
  const file = await open(path, 'a');
  let size = from;
  try {
    await file.truncate(from);
    onBytes(size, total);
    for await (const chunk of response) {
      const bytes = chunk as Buffer;
      if (size + bytes.length > maxBytes) throw tooLarge(maxBytes);
      await file.appendFile(bytes);
      size += bytes.length;
      timer.refresh();
      onBytes(size, total);
    }
    await file.sync();
  } catch (error) {
    const why = connectionError(error, url.host);
    if (!(why instanceof DownloadError) || why.failure !== 'network') throw why;
    throw cutOff(size, total, why);
  } finally {
    clearTimeout(timer);
    await file.close();
  }
  // The HTTP parser checks this already, but a proxy may not.
  if (total !== undefined && size !== total) throw cutOff(size, total);
  return size;
}

/** Reads the first `maxBytes` of a text as Latin-1. Throws as receiveBody does. */
export async function receiveText(
  { response, url }: Answer,
  idleTimeoutMs: number,
  maxBytes: number,
): Promise<string> {
  const timer = setTimeout(() => {
    response.destroy(new DownloadError('timeout', `${url.host} stalls`, { mayPass: true }));
  }, idleTimeoutMs);
  const chunks: Buffer[] = [];
  let size = 0;
  try {
    for await (const chunk of response) {
      const bytes = chunk as Buffer;
      chunks.push(bytes);
      size += bytes.length;
      timer.refresh();
      if (size > maxBytes) break;
    }
  } catch (error) {
    throw connectionError(error, url.host);
  } finally {
    clearTimeout(timer);
  }
  return Buffer.concat(chunks).toString('latin1', 0, maxBytes);
}

function contentLength({ response }: Answer): number | undefined {
  const text = response.headers['content-length'];
  return text !== undefined && /^\d{1,15}$/.test(text) ? Number(text) : undefined;
}

function tooLarge(maxBytes: number): DownloadError {
  const found = `too large: more than ${maxBytes.toLocaleString('en-US')} bytes`;
  return new DownloadError('large', found);
}

function cutOff(size: number, total: number | undefined, cause?: Error): DownloadError {
  const found = `the body ended after ${size} of ${total ?? 'an unknown number of'} bytes`;
  return new DownloadError('truncated', found, { mayPass: true, cause });
}
