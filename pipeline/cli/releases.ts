import {
  currentRelease,
  listReleases,
  ReleaseError,
  releasesDir,
  type Release,
} from '../release/release-store.js';

/** Returns the release with an id, or the current one. Throws ReleaseError, which lists the kept releases. */
export async function findRelease(outputDir: string, id?: string): Promise<Release> {
  if (id === undefined || id === 'current') {
    const current = await currentRelease(outputDir);
    if (!current) throw new ReleaseError(releasesDir(outputDir), 'no release yet: run make build-data');
    return current;
  }
  const releases = await listReleases(outputDir);
  const found = releases.find((release) => release.id === id);
  if (!found) {
    const known = releases.map((release) => release.id).join(', ');
    throw new ReleaseError(
      releasesDir(outputDir),
      `release not found: ${id}; kept releases: ${known || 'none'}`,
    );
  }
  if ('damaged' in found) throw new ReleaseError(found.dir, found.damaged);
  return found;
}
