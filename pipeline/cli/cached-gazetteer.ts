import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { fromJson } from '../gazetteer/gazetteer-json.js';
import type { Gazetteer } from '../gazetteer/gazetteer.js';
import { cachedGazetteerOf, gazetteerEdition } from '../ingest/cache-paths.js';
import { ReleaseError, type Release } from '../release/release-store.js';

/** Reads the gazetteer of the release's build. Throws ReleaseError if it had none or it is no longer cached. */
export async function readCachedGazetteer({ dir, manifest }: Release, outputDir: string): Promise<Gazetteer> {
  const folder = cachedGazetteerOf(outputDir, manifest.inputs);
  if (folder === undefined)
    throw new ReleaseError(dir, 'built without a gazetteer: cities cannot be compared');
  const path = gazetteerEdition(folder, 'full');
  if (!existsSync(path))
    throw new ReleaseError(path, 'gazetteer no longer cached: run make build-data ARGS=--force');
  return fromJson(await readFile(path, 'utf8'));
}
