import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { refuseOtherContainers, readGz } from '../feeds/containers.js';
import type { Container, OpenFile } from '../feeds/feed.js';
import { FeedError } from '../feeds/feed-error.js';
import { withZip } from '../feeds/zip-archive.js';
import { sha256File } from '../release/digest.js';
import { DownloadError } from './download-error.js';

/** What a downloaded file must be. */
export interface Expectation {
  readonly id: string;
  readonly container: Container;
  readonly minBytes: number;
  /** As the publisher states it, lower-case hex. */
  readonly sha256: string | undefined;
  /** Likewise. */
  readonly md5?: string | undefined;
  /** Says what is wrong with its text. */
  readonly refuse?: ((text: string) => string | undefined) | undefined;
}

/**
 * Looks at a downloaded file before it takes the place of the last one: its first bytes, its size, whether its gz ends
 * well or its zip has a whole directory, its text where that is declared, its checksums. Answers with the sha256. Throws DownloadError.
 */
export async function acceptFile(path: string, sizeBytes: number, expected: Expectation): Promise<string> {
  const { id, container, minBytes } = expected;
  const file: OpenFile = { id, folder: '', name: id, container, path, sizeBytes, onRead: () => undefined };
  await refused(() => refuseOtherContainers(file));
  if (sizeBytes < minBytes) {
    throw new DownloadError('small', `${sizeBytes} bytes, at least ${minBytes} are expected`);
  }
  await refused(() => readWhole(file));
  const wrong = expected.refuse?.(await readFile(path, 'utf8'));
  if (wrong !== undefined) throw new DownloadError('container', wrong);
  const { sha256 } = await sha256File(path);
  if (expected.sha256 !== undefined && expected.sha256 !== sha256) {
    throw new DownloadError('sha256', `sha256 ${sha256}, the publisher states ${expected.sha256}`);
  }
  if (expected.md5 !== undefined) await compareMd5(path, expected.md5);
  return sha256;
}

/** The sha256 at the beginning of a text as `sha256sum` prints it. Throws DownloadError `sha256` when there is none. */
export function parseSha256(text: string): string {
  const [, sha256] = /^\s*\\?([0-9a-f]{64})\b/i.exec(text) ?? [];
  if (sha256 === undefined)
    throw new DownloadError('sha256', 'the publisher’s checksum file holds no sha256');
  return sha256.toLowerCase();
}

/** The md5 in a text: `be11… *name`, or `MD5 (name) = be11…`. Throws DownloadError `md5` when there is none. */
export function parseMd5(text: string): string {
  const [, first, last] = /^\s*(?:([0-9a-f]{32})\b|MD5\s*\(.*\)\s*=\s*([0-9a-f]{32})\b)/i.exec(text) ?? [];
  const md5 = first ?? last;
  if (md5 === undefined) throw new DownloadError('md5', 'the publisher’s checksum file holds no md5');
  return md5.toLowerCase();
}

async function compareMd5(path: string, stated: string): Promise<void> {
  const hash = createHash('md5');
  for await (const chunk of createReadStream(path)) hash.update(chunk as Buffer);
  const md5 = hash.digest('hex');
  if (md5 !== stated) throw new DownloadError('md5', `md5 ${md5}, the publisher states ${stated}`);
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
    const failure = error.refusal === 'container' ? 'container' : 'truncated';
    throw new DownloadError(failure, error.found, { cause: error });
  }
}
