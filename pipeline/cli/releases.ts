import { alignColumns, grouped } from '../release/columns.js';
import {
  currentRelease,
  listReleases,
  ReleaseError,
  releasesDir,
  type ListedRelease,
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

/** Returns the list of releases as text; `*` marks the current one. */
export function describeReleases(releases: readonly ListedRelease[], currentId: string | undefined): string {
  if (releases.length === 0) return 'no release yet: run make build-data';
  const rows = releases.map((release) => {
    const mark = release.id === currentId ? '*' : ' ';
    if ('damaged' in release) return [mark, release.id, 'damaged', release.damaged];
    const { files, inputs } = release.manifest;
    const datasets = files.filter(({ kind }) => kind !== 'verdicts');
    const networks = datasets.map(({ name, coverage }) => `${name} ${grouped(coverage.networks)} networks`);
    const refused = inputs.reduce((sum, input) => sum + input.refusals.length, 0);
    return [mark, release.id, networks.join(', '), refused === 0 ? '' : `${refused} files refused`];
  });
  return alignColumns(rows, 4).join('\n');
}
