import { readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { listReleases } from '../../release/release-store.js';
import { cachedResultOf } from './cache-places.js';

/**
 * Removes kept files, normalised tables and gazetteers that none of the kept releases was made from, with whatever
 * killed runs have left. Runs after a publication, under the build's lock: what tonight used is in the newest release.
 */
export async function pruneCache(outputDir: string): Promise<void> {
  const cache = join(outputDir, 'cache');
  const used = new Set<string>();
  for (const release of await listReleases(outputDir)) {
    if ('damaged' in release) return; // What it was made from is not known: keep everything.
    for (const input of release.manifest.inputs) {
      const result = cachedResultOf(outputDir, input);
      if (result !== undefined) used.add(result);
      for (const file of input.files) used.add(join(cache, 'files', file.sha256));
    }
  }
  for (const folder of ['files', 'tables', 'gazetteer']) {
    for (const path of await pathsIn(join(cache, folder))) {
      if (!used.has(path)) await rm(path, { recursive: true, force: true });
    }
  }
}

async function pathsIn(dir: string): Promise<string[]> {
  const names = await readdir(dir).catch((error: unknown) => {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return [];
    throw error;
  });
  return names.map((name) => join(dir, name));
}
