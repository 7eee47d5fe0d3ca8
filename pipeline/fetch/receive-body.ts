import { open } from 'node:fs/promises';
import { DownloadError } from './download-error.js';
import { connectionError, type Answer } from './http-get.js';

/** Where a body goes and how it is watched. */
export interface Receiving {
  readonly path: string;
  /** Bytes at the beginning of the file that stay: the body continues them. */
  readonly from: number;
  readonly idleTimeoutMs: number;
  /** Largest size of the whole file. */
  readonly maxBytes: number;
  /** Told how many bytes are there, and how many there will be where the server says. */
  readonly onBytes: (done: number, total: number | undefined) => void;
}

/**
 * Writes a body to a file and brings it to the disk; its size. Throws DownloadError `timeout` when it stalls,
 * `truncated` when it ends early and `large` when it is to grow beyond `maxBytes`; what has come stays in the file then.
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
    const found = `nothing more from ${url.host} for ${idleTimeoutMs / 1000} s`;
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
  // A parser of HTTP sees to this already; a proxy's may not.
  if (total !== undefined && size !== total) throw cutOff(size, total);
  return size;
}

/** The first `maxBytes` of a text, as Latin-1. Throws as receiveBody does. */
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
