import { currentId, listReleases, ReleaseError, releasesDir, type ListedRelease } from './release-store.js';
import { serveRelease } from './serve-release.js';
import { verifyRelease } from './verify-release.js';

/** Which release was served before and which is now. */
export interface RolledBack {
  /** Absent when there was no `current`. */
  readonly from: string | undefined;
  readonly to: string;
}

/**
 * Points `current` at the named release, or else at the one before the current. Its files are checked first. Throws
 * ReleaseError when there is none, none of that name, or it is damaged; `current` then stays what it was.
 */
export async function rollback(outputDir: string, to?: string): Promise<RolledBack> {
  const from = await currentId(outputDir);
  const releases = await listReleases(outputDir);
  const target = to === undefined ? before(outputDir, releases, from) : named(outputDir, releases, to);
  if ('damaged' in target) throw new ReleaseError(target.dir, `is damaged: ${target.damaged}`);
  await verifyRelease(target.dir);
  await serveRelease(outputDir, target.id);
  return { from, to: target.id };
}

function named(outputDir: string, releases: readonly ListedRelease[], id: string): ListedRelease {
  const found = releases.find((release) => release.id === id);
  if (found) return found;
  throw new ReleaseError(releasesDir(outputDir), `has no release ${id}; there ${listed(releases)}`);
}

/** The next older one in the list; where the current folder is gone, the newest with an older id. */
function before(
  outputDir: string,
  releases: readonly ListedRelease[],
  current: string | undefined,
): ListedRelease {
  if (current === undefined) {
    throw new ReleaseError(outputDir, `has no current release to roll back from; there ${listed(releases)}`);
  }
  const at = releases.findIndex(({ id }) => id === current);
  const older = at < 0 ? releases.find(({ id }) => id < current) : releases[at + 1];
  if (older) return older;
  throw new ReleaseError(
    releasesDir(outputDir),
    `has nothing older than ${current}; there ${listed(releases)}`,
  );
}

function listed(releases: readonly ListedRelease[]): string {
  if (releases.length === 0) return 'is none';
  return `are ${releases.map((release) => ('damaged' in release ? `${release.id} (damaged)` : release.id)).join(', ')}`;
}
