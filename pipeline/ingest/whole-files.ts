import { join } from 'node:path';
import { sha256File, type FileDigest } from '../release/digest.js';
import { absentIfMissing } from '../release/missing.js';
import { fileNames } from '../release/verify-release.js';

/** Returns whether a folder has all files with their digests. */
export async function areWhole(dir: string, files: Readonly<Record<string, FileDigest>>): Promise<boolean> {
  for (const [name, { sha256 }] of Object.entries(files)) {
    const found = await absentIfMissing(sha256File(join(dir, name)));
    if (found?.sha256 !== sha256) return false;
  }
  return true;
}

/** Returns the digests of all files of a folder by name. Files with a known digest are not read. */
export async function digestsOf(
  dir: string,
  known: Readonly<Record<string, FileDigest>>,
): Promise<Record<string, FileDigest>> {
  const digests: Record<string, FileDigest> = {};
  for (const name of await fileNames(dir)) {
    const { sizeBytes, sha256 } = known[name] ?? (await sha256File(join(dir, name)));
    digests[name] = { sizeBytes, sha256 };
  }
  return digests;
}
