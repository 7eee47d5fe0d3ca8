import { readdir, rm } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { absentIfMissing } from '../release/missing.js';
import { listReleases } from '../release/release-store.js';
import { cachedGazetteerOf, keptReadingOf, MADE_FOLDERS } from './cache-places.js';

/**
 * Removes kept files, readings and gazetteers that none of the kept releases was made from, with whatever
 * killed runs have left. Runs after a publication, under the build's lock: what tonight used is in the newest release.
 */
export async function pruneCache(outputDir: string): Promise<void> {
  const cache = join(outputDir, 'cache');
  const used = new Set<string>();
  for (const release of await listReleases(outputDir)) {
    if ('damaged' in release) return; // What it was made from is not known: keep everything.
    const gazetteer = cachedGazetteerOf(outputDir, release.manifest.inputs);
    if (gazetteer !== undefined) used.add(gazetteer);
    for (const input of release.manifest.inputs) {
      const result = keptReadingOf(outputDir, input);
      if (result !== undefined) used.add(result);
      for (const file of input.files) used.add(join(cache, 'files', file.sha256));
    }
  }
  for (const path of await keptPaths(outputDir)) {
    if (!used.has(path)) await rm(path, { recursive: true, force: true });
  }
}

/** Removes what killed runs left half-written in the cache. Only for a run that knows itself to be alone. */
export async function sweepCache(outputDir: string): Promise<void> {
  for (const path of await keptPaths(outputDir)) {
    if (UNFINISHED_NAME.test(basename(path))) await rm(path, { recursive: true, force: true });
  }
}

/** `.tmp-<…>` of a file, `<name>.tmp-<…>` of a reading or gazetteer; what follows is each writer's own. */
const UNFINISHED_NAME = /\.tmp-/;

async function keptPaths(outputDir: string): Promise<string[]> {
  const folders = ['files', ...MADE_FOLDERS].map((name) => join(outputDir, 'cache', name));
  return (await Promise.all(folders.map(pathsIn))).flat();
}

async function pathsIn(dir: string): Promise<string[]> {
  const names = (await absentIfMissing(readdir(dir))) ?? [];
  return names.map((name) => join(dir, name));
}
