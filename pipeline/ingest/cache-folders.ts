import { readdir, rm, stat } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { absentIfMissing } from '../release/missing.js';
import { cacheDir } from '../store/kept-folder.js';

/** Folders of the cache for normalised feeds, routing sources and lists. */
export const NORMALISED_FOLDERS = { feed: 'tables', source: 'sources', list: 'lists' } as const;

/** The folder of the cache for the parts of datasets. They are removed when the release is published. */
export const PARTS_FOLDER = 'parts';

/** Folders of the cache with results that can be rebuilt from publishers' files. */
export const REBUILDABLE_FOLDERS: readonly string[] = [
  ...Object.values(NORMALISED_FOLDERS),
  'gazetteer',
  PARTS_FOLDER,
];

/**
 * Removes the unfinished files of killed runs from the cache, and parts of datasets that no build has published within
 * two days. Call it only while no other build runs.
 */
export async function sweepCache(outputDir: string, nowMs = Date.now()): Promise<void> {
  for (const path of await keptPaths(outputDir)) {
    const isPart = basename(dirname(path)) === PARTS_FOLDER;
    const isOld = isPart && nowMs - ((await absentIfMissing(stat(path)))?.mtimeMs ?? nowMs) > PARTS_MS;
    if (isOld || UNFINISHED_NAME.test(basename(path))) await rm(path, { recursive: true, force: true });
  }
}

/** Time for which parts of datasets are kept when no build publishes, in ms. */
const PARTS_MS = 2 * 24 * 3_600_000;

/** `.tmp-<…>` of a file, `<name>.tmp-<…>` of a folder; the suffix is unique for each writer. */
const UNFINISHED_NAME = /\.tmp-/;

/** Returns the paths of everything in the folders of the cache. */
export async function keptPaths(outputDir: string): Promise<string[]> {
  const folders = ['files', ...REBUILDABLE_FOLDERS].map((name) => join(cacheDir(outputDir), name));
  return (await Promise.all(folders.map(pathsIn))).flat();
}

async function pathsIn(dir: string): Promise<string[]> {
  const names = (await absentIfMissing(readdir(dir))) ?? [];
  return names.map((name) => join(dir, name));
}
