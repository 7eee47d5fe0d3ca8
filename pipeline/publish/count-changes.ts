import { join } from 'node:path';
import { ZodError } from 'zod';
import type { LocatedDataset } from '../datasets/dataset-folder.js';
import { MmdbError } from '../mmdb/mmdb-error.js';
import { isComparable } from '../release/accuracy.js';
import type { Manifest, ManifestFile } from '../release/contract.js';
import { lastRelease } from '../release/last-release.js';
import { comparePlaces, unchangedPlaces } from '../release/compare-places.js';
import type { PlaceChanges } from '../release/place-changes.js';
import { ReleaseError, type Release } from '../release/release-store.js';
import { verifyFile } from '../release/verify-release.js';
import type { StageContext } from '../stage/stage.js';

/**
 * Compares the places of `geo.mmdb` with those of the last release. Returns undefined if either has no such file, if the
 * last release is from fixtures and this one is not, and, with a line in the log, if the file of the last release is
 * damaged or of another type. The figures are only reported: they never stop a build.
 */
export async function countChanges(
  datasets: readonly LocatedDataset[],
  { source }: Pick<Manifest, 'source'>,
  { settings, log, progress }: Pick<StageContext, 'settings' | 'log' | 'progress'>,
): Promise<PlaceChanges | undefined> {
  const { release } = await lastRelease(settings.outputDir);
  if (!release || !isComparable({ source }, release.manifest)) return undefined;
  const dataset = datasets.find((one) => one.dataset === 'geo');
  const now = dataset && geoFileIn(dataset.files.map(({ file }) => file));
  const before = geoFileIn(release.manifest.files);
  if (!dataset || !now || !before) return undefined;
  const since = release.id;
  if (before.sha256 === now.sha256) return { since, ...unchangedPlaces(now.coverageByCountry) };
  progress({ text: `comparing with ${since}` });
  const found =
    before.databaseType === now.databaseType
      ? await compared({ release, file: before }, join(dataset.dir, now.name))
      : `its ${before.name} is of type ${before.databaseType}`;
  if (typeof found !== 'string') return { since, ...found };
  log(`the changes since ${since} were not counted: ${found}`);
  return undefined;
}

function geoFileIn(files: readonly ManifestFile[]): ManifestFile | undefined {
  return files.find(({ name }) => name === 'geo.mmdb');
}

/** Returns the figures, or the error of a file that cannot be compared. Its bytes are verified before they are walked. */
async function compared(
  { release, file }: { readonly release: Release; readonly file: ManifestFile },
  after: string,
): Promise<Omit<PlaceChanges, 'since'> | string> {
  const before = join(release.dir, file.name);
  try {
    await verifyFile(before, file);
    return await comparePlaces(before, after);
  } catch (error) {
    if (error instanceof ZodError) return `${file.name} has records of another form`;
    if (error instanceof MmdbError || error instanceof ReleaseError) return error.message;
    throw error;
  }
}
