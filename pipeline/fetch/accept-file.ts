import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { refuseOtherContainers, readGz } from '../input/containers/containers.js';
import type { Container, OpenFile } from '../input/published-source.js';
import { FeedError } from '../input/feed-error.js';
import { withZip } from '../input/containers/zip-archive.js';
import { sha256File } from '../release/digest.js';
import { DownloadError, type Failure } from './download-error.js';

/** The requirements for a downloaded file. */
export interface Expectation {
  readonly id: string;
  readonly container: Container;
  readonly minBytes: number;
  /** As in OpenFile. */
  readonly maxUnpackedBytes: number;
  /** As the publisher states it, lower-case hex. */
  readonly sha256: string | undefined;
  /** As the publisher states it, lower-case hex. */
  readonly md5?: string | undefined;
  /** Returns the error in the file's text; absent for a valid one. */
  readonly refuse?: ((text: string) => string | undefined | Promise<string | undefined>) | undefined;
}

/**
 * Checks a downloaded file before it replaces the last one: first bytes, size, complete gzip or zip directory, text,
 * checksums. Returns the sha256. Throws DownloadError.
 */
export async function acceptFile(path: string, sizeBytes: number, expected: Expectation): Promise<string> {
  const { id, container, minBytes, maxUnpackedBytes } = expected;
  const named = { id, folder: '', name: id, container, path };
  const file: OpenFile = { ...named, sizeBytes, maxUnpackedBytes, onRead: () => undefined };
  await refused(() => refuseOtherContainers(file));
  if (sizeBytes < minBytes) {
    throw new DownloadError('small', `${sizeBytes} bytes, expected at least ${minBytes}`);
  }
  await refused(() => readWhole(file));
  const wrong = await expected.refuse?.(await readFile(path, 'utf8'));
  if (wrong !== undefined) throw new DownloadError('container', wrong);
  const { sha256 } = await sha256File(path);
  if (expected.sha256 !== undefined && expected.sha256 !== sha256) {
    throw new DownloadError('sha256', `sha256 ${sha256}, expected ${expected.sha256}`);
  }
  if (expected.md5 !== undefined) await compareMd5(path, expected.md5);
  return sha256;
}

/** Returns the sha256 at the start of a text as `sha256sum` prints it. Throws DownloadError `sha256` without one. */
export function parseSha256(text: string): string {
  const [, sha256] = /^\s*\\?([0-9a-f]{64})\b/i.exec(text) ?? [];
  if (sha256 === undefined) throw new DownloadError('sha256', 'the publisher’s checksum file has no sha256');
  return sha256.toLowerCase();
}

/** Returns the md5 in a text: `be11… *name`, or `MD5 (name) = be11…`. Throws DownloadError `md5` without one. */
export function parseMd5(text: string): string {
  const [, first, last] = /^\s*(?:([0-9a-f]{32})\b|MD5\s*\(.*\)\s*=\s*([0-9a-f]{32})\b)/i.exec(text) ?? [];
  const md5 = first ?? last;
  if (md5 === undefined) throw new DownloadError('md5', 'the publisher’s checksum file has no md5');
  return md5.toLowerCase();
}

/** Returns the failure of a download for a refusal of its file. */
export function failureOf({ refusal }: FeedError): Failure {
  if (refusal === 'too-large') return 'large';
  return refusal === 'container' ? 'container' : 'truncated';
}

async function compareMd5(path: string, stated: string): Promise<void> {
  const hash = createHash('md5');
  for await (const chunk of createReadStream(path)) hash.update(chunk as Buffer);
  const md5 = hash.digest('hex');
  if (md5 !== stated) throw new DownloadError('md5', `md5 ${md5}, expected ${stated}`);
}

async function readWhole(file: OpenFile): Promise<void> {
  if (file.container === 'gz') {
    const chunks = readGz(file);
    while ((await chunks.next()).done !== true) continue;
  }
  if (file.container === 'zip') await withZip(file, () => Promise.resolve());
}

async function refused(look: () => Promise<void>): Promise<void> {
  try {
    await look();
  } catch (error) {
    if (!(error instanceof FeedError)) throw error;
    throw new DownloadError(failureOf(error), error.found, { cause: error });
  }
}
