import { Failure } from '../failure.js';
import type { Dataset, DatasetFile, DatasetName, Snapshot } from '../release/snapshot.js';

/** Returns a dataset of the release. Throws Failure(404) when the release does not have it (decision 39). */
export function requireDataset({ datasets }: Snapshot, name: DatasetName): Dataset {
  const file = datasets.get(name);
  if (!file) throw new Failure(404, `dataset ${name} has not been built`);
  return file;
}

/**
 * Returns an edition of a dataset: the file itself by default (decision 76). Throws Failure(400) with the allowed types
 * for any other type.
 */
export function requireEdition(dataset: Dataset, type = dataset.type): DatasetFile {
  const edition = dataset.editions.get(type);
  if (edition) return edition;
  throw new Failure(400, `invalid edition: expected ${[...dataset.editions.keys()].join(', ')}`);
}
