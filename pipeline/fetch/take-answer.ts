import { mkdir, rename, rm, utimes } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { fsyncPath } from '../release/durable.js';
import { acceptFile } from './accept-file.js';
import { DownloadError } from './download-error.js';
import { largestUnpacked, type PlannedDownload } from './download-plan.js';
import { UNCHANGED, type LastOutcome } from './download-state.js';
import type { JobParts, KnownDownload } from './known-download.js';
import { publishedMd5 } from './publisher-pages.js';
import type { Received } from './transfer.js';
import { unpackArchive } from './unpack-archive.js';

/** A received file and its plan. */
export interface Answer {
  readonly planned: PlannedDownload;
  readonly received: Received;
  /** As the publisher states it; absent when it does not. */
  readonly sha256: string | undefined;
}

/** Checks a received file and replaces the last one with it. A bad file is removed, and the next night starts again. */
export async function takeAnswer(
  parts: JobParts,
  known: KnownDownload,
  answer: Answer,
): Promise<LastOutcome> {
  const { context, paths } = parts;
  const { planned, received } = answer;
  const { sizeBytes, remote } = received;
  const dir = join(context.dir, planned.folder);
  let accepted: string;
  try {
    accepted = await examine(parts, answer);
    if (planned.download.archive) await unpackArchive(paths.part, planned, dir);
  } catch (error) {
    if (!(error instanceof DownloadError)) throw error;
    await rm(paths.part, { force: true });
    throw error;
  }
  const before = known.copy;
  const now = context.now();
  await moveIntoPlace(paths.part, join(dir, remote.name), { lastModified: remote.lastModified, now });
  await known.hold({ ...remote, sha256: accepted, sizeBytes, fetched: now.toISOString() });
  if (before && before.name !== remote.name) await rm(join(dir, before.name), { force: true });
  if (before?.sha256 === accepted) return UNCHANGED;
  return { outcome: 'downloaded', text: `${sizeBytes.toLocaleString('en-US')} bytes` };
}

async function examine(parts: JobParts, { planned, received, sha256 }: Answer): Promise<string> {
  const { context, paths } = parts;
  const { folder, files, download } = planned;
  const expected = {
    id: `${folder}/${received.remote.name}`,
    container: download.archive ?? files[0]!.container,
    minBytes: context.acceptSmall ? 0 : download.minBytes,
    maxUnpackedBytes: largestUnpacked(planned),
    sha256,
    md5: await publishedMd5(parts, planned),
    refuse: download.refuse,
  };
  return acceptFile(paths.part, received.sizeBytes, expected);
}

/** Sets the publisher's date of a file, unless it is in the future, and moves the file to its place. */
async function moveIntoPlace(
  path: string,
  target: string,
  { lastModified, now }: { readonly lastModified: string | undefined; readonly now: Date },
): Promise<void> {
  const dated = lastModified === undefined ? now : new Date(lastModified);
  await mkdir(dirname(target), { recursive: true });
  await utimes(path, now, dated < now ? dated : now);
  await fsyncPath(path);
  await rename(path, target);
  await fsyncPath(dirname(target));
}
