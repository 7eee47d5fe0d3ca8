import { readdir } from 'node:fs/promises';
import { join, posix } from 'node:path';
import type { PublishedFile } from '../input/published-source.js';
import { matchesName } from '../input/name-pattern.js';
import { absentIfMissing } from '../release/missing.js';

/**
 * Returns the names in the file's folder that match it, sorted; of dated snapshots only the last one of each folder.
 */
export async function findFiles(dir: string, file: PublishedFile): Promise<string[]> {
  const root = join(dir, file.folder);
  const depth = file.name.split('/').length;
  const found = (await namesBelow(root, '', depth)).filter((name) => matchesName(file.name, name)).sort();
  if (file.take === 'all') return found;
  return [...new Map(found.map((name) => [posix.dirname(name), name])).values()];
}

/** Returns the files in `root/prefix`, at most `depth` folders deep, as paths relative to `root`. */
async function namesBelow(root: string, prefix: string, depth: number): Promise<string[]> {
  const entries = (await absentIfMissing(readdir(join(root, prefix), { withFileTypes: true }))) ?? [];
  const names: string[] = [];
  for (const entry of entries) {
    const name = prefix === '' ? entry.name : `${prefix}/${entry.name}`;
    if (entry.isDirectory()) {
      if (depth > 1) names.push(...(await namesBelow(root, name, depth - 1)));
    } else {
      names.push(name);
    }
  }
  return names;
}
