import { currentId, listReleases, ReleaseError, releasesDir, type ListedRelease } from './release-store.js';
import { switchCurrent } from './switch-current.js';
import { verifyRelease } from './verify-release.js';

/** The releases before and after a rollback. */
export interface RolledBack {
  /** Absent when there was no `current`. */
  readonly from: string | undefined;
  readonly to: string;
}

/**
 * Points `current` at the named release, or at the one before the current. Its files are checked first. Throws
 * ReleaseError, and leaves `current` unchanged, when there is no such release or it is damaged.
 */
export async function rollback(outputDir: string, to?: string): Promise<RolledBack> {
  const from = await currentId(outputDir);
  const releases = await listReleases(outputDir);
  const target = to === undefined ? before(outputDir, releases, from) : named(outputDir, releases, to);
  if ('damaged' in target) throw new ReleaseError(target.dir, `is damaged: ${target.damaged}`);
  await verifyRelease(target.dir);
  await switchCurrent(outputDir, target.id);
  return { from, to: target.id };
}

function named(outputDir: string, releases: readonly ListedRelease[], id: string): ListedRelease {
  const found = releases.find((release) => release.id === id);
  if (found) return found;
  throw new ReleaseError(releasesDir(outputDir), `has no release ${id}; ${listed(releases)}`);
}

/** Returns the next older release. If the current folder is missing, the newest with an older id. */
function before(
  outputDir: string,
  releases: readonly ListedRelease[],
  current: string | undefined,
): ListedRelease {
  if (current === undefined) {
    throw new ReleaseError(outputDir, `has no current release to roll back from; ${listed(releases)}`);
  }
  const at = releases.findIndex(({ id }) => id === current);
  const older = at < 0 ? releases.find(({ id }) => id < current) : releases[at + 1];
  if (older) return older;
  throw new ReleaseError(releasesDir(outputDir), `has no release older than ${current}; ${listed(releases)}`);
}

function listed(releases: readonly ListedRelease[]): string {
  if (releases.length === 0) return 'there are none';
  return `available: ${releases.map((release) => ('damaged' in release ? `${release.id} (damaged)` : release.id)).join(', ')}`;
}
