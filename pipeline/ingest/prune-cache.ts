import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { listReleases } from '../release/release-store.js';
import { cacheDir } from '../store/kept-folder.js';
import { keptPaths } from './cache-folders.js';
import { cachedGazetteerOf, normalisedDirOf } from './cache-paths.js';

/**
 * Removes cached files, normalised inputs and gazetteers that no kept release uses, and the remains of killed runs.
 * Call it after a publication, under the build's lock: the newest release then lists the inputs of tonight.
 */
export async function pruneCache(outputDir: string): Promise<void> {
  const cache = cacheDir(outputDir);
  const used = new Set<string>();
  for (const release of await listReleases(outputDir)) {
    if ('damaged' in release) return; // Its inputs are unknown: keep everything.
    const gazetteer = cachedGazetteerOf(outputDir, release.manifest.inputs);
    if (gazetteer !== undefined) used.add(gazetteer);
    for (const input of release.manifest.inputs) {
      const result = normalisedDirOf(outputDir, input);
      if (result !== undefined) used.add(result);
      for (const file of input.files) used.add(join(cache, 'files', file.sha256));
    }
  }
  for (const path of await keptPaths(outputDir)) {
    if (!used.has(path)) await rm(path, { recursive: true, force: true });
  }
}
