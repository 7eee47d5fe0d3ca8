import { readdir } from 'node:fs/promises';
import { join, relative, sep } from 'node:path';
import { filesOfRelease, type Manifest, type ReleaseFile } from './contract.js';
import { sha256File } from './digest.js';
import { absentIfMissing } from './missing.js';
import { MANIFEST, readManifest, ReleaseError, REPORT } from './release-store.js';

/** Reads a release's manifest and checks its files against it. Throws ReleaseError for the first wrong file. */
export async function verifyRelease(dir: string): Promise<Manifest> {
  const manifest = await readManifest(dir);
  await verifyFiles(dir, filesOfRelease(manifest));
  return manifest;
}

/** Returns the manifest of a whole release, or the error of a damaged one. */
export async function examineRelease(dir: string): Promise<Manifest | ReleaseError> {
  try {
    return await verifyRelease(dir);
  } catch (error) {
    if (error instanceof ReleaseError) return error;
    throw error;
  }
}

/**
 * Checks that a folder holds exactly these files with their sizes and sha256, besides a manifest and a report. Throws
 * ReleaseError for the first file that is missing, different or not in the manifest.
 */
export async function verifyFiles(dir: string, files: readonly Digest[]): Promise<void> {
  await verifyNames(dir, files);
  for (const file of files) await verifyFile(join(dir, file.name), file);
}

/** Checks that a folder holds exactly these file names besides a manifest and a report. Throws as `verifyFiles`. */
export async function verifyNames(dir: string, files: readonly Pick<Digest, 'name'>[]): Promise<void> {
  const present = new Set(await fileNames(dir));
  for (const { name } of files) {
    if (!present.delete(name)) throw new ReleaseError(join(dir, name), 'does not exist');
  }
  present.delete(MANIFEST);
  present.delete(REPORT);
  for (const name of present) throw new ReleaseError(join(dir, name), 'is not in the manifest');
}

/**
 * Returns every file below a folder as a path with `/`. Throws ReleaseError for links and other special files, and when
 * the folder does not exist. A publication may remove an old release at any time.
 */
export async function fileNames(dir: string): Promise<string[]> {
  const entries = await absentIfMissing(readdir(dir, { recursive: true, withFileTypes: true }));
  if (entries === undefined) throw new ReleaseError(dir, 'does not exist');
  const names: string[] = [];
  for (const entry of entries) {
    const path = join(entry.parentPath, entry.name);
    if (entry.isFile()) names.push(relative(dir, path).replaceAll(sep, '/'));
    else if (!entry.isDirectory()) throw new ReleaseError(path, 'is neither a file nor a folder');
  }
  return names.sort();
}

/** The expected digest of a file. */
type Digest = Pick<ReleaseFile, 'name' | 'sizeBytes' | 'sha256'>;

/** Checks size and sha256 of one file. Throws ReleaseError when they differ or the file is missing. */
export async function verifyFile(path: string, expected: Digest): Promise<void> {
  const found = await absentIfMissing(sha256File(path));
  if (!found) throw new ReleaseError(path, 'does not exist');
  if (found.sizeBytes !== expected.sizeBytes) {
    throw new ReleaseError(path, `has ${found.sizeBytes} bytes, expected ${expected.sizeBytes}`);
  }
  if (found.sha256 !== expected.sha256) {
    throw new ReleaseError(path, `has sha256 ${found.sha256}, expected ${expected.sha256}`);
  }
}
