import { mkdir, open, readdir, rename, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { PublishedFile } from '../input/published-source.js';
import { FeedError } from '../input/feed-error.js';
import { matchesName } from '../input/name-pattern.js';
import { withZip, type ZipArchive } from '../input/containers/zip-archive.js';
import { failureOf } from './accept-file.js';
import { DownloadError } from './download-error.js';
import { largestUnpacked, type PlannedDownload } from './download-plan.js';

/**
 * Unpacks the files of a download from a zip into `dir`, by the matching end of their paths, and removes files that the
 * zip no longer has. Files are moved only after all are unpacked. Throws DownloadError.
 */
export async function unpackArchive(path: string, planned: PlannedDownload, dir: string): Promise<void> {
  const { files, id } = planned;
  const beside = `${path}.unpacked`;
  await rm(beside, { recursive: true, force: true });
  const named = { id, folder: '', name: id, container: 'zip', path } as const;
  const archive = { ...named, sizeBytes: 0, maxUnpackedBytes: largestUnpacked(planned), onRead: ignore };
  try {
    const names = await withZip(archive, (zip) => unpack(zip, files, beside));
    if (names.length === 0) throw new DownloadError('container', 'the zip has none of the expected files');
    for (const name of names) {
      await mkdir(dirname(join(dir, name)), { recursive: true });
      await rename(join(beside, name), join(dir, name));
    }
    await removeOthers(dir, files, new Set(names));
  } catch (error) {
    if (!(error instanceof FeedError)) throw error;
    throw new DownloadError(failureOf(error), error.found, { cause: error });
  } finally {
    await rm(beside, { recursive: true, force: true });
  }
}

/** Returns the end of an entry's path that matches one of the files; absent for other entries. */
export function entryName(entry: string, files: readonly PublishedFile[]): string | undefined {
  const parts = entry.split('/');
  for (const { name } of files) {
    const end = parts.slice(-name.split('/').length);
    const isPlain = end.every((part) => /^[^.\\][^\\]*$/.test(part));
    if (isPlain && matchesName(name, end.join('/'))) return end.join('/');
  }
  return undefined;
}

async function unpack(zip: ZipArchive, files: readonly PublishedFile[], dir: string): Promise<string[]> {
  const names: string[] = [];
  for (const entry of zip.names) {
    const name = entryName(entry, files);
    if (name === undefined) continue;
    await mkdir(dirname(join(dir, name)), { recursive: true });
    const file = await open(join(dir, name), 'w');
    try {
      for await (const chunk of zip.read(entry)) await file.appendFile(chunk);
      await file.sync();
    } finally {
      await file.close();
    }
    names.push(name);
  }
  return names;
}

async function removeOthers(
  dir: string,
  files: readonly PublishedFile[],
  kept: ReadonlySet<string>,
): Promise<void> {
  for (const entry of await readdir(dir, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile()) continue;
    const name = join(entry.parentPath, entry.name).slice(dir.length + 1);
    if (!kept.has(name) && files.some((file) => matchesName(file.name, name))) await rm(join(dir, name));
  }
}

const ignore = (): void => undefined;
