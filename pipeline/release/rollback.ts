import { currentId, listReleases, ReleaseError, releasesDir, type ListedRelease } from './release-store.js';
import { pinCurrent, releaseCurrent, unpinCurrent, type PinUntil } from './move-current.js';
import { verifyRelease } from './verify-release.js';

/** The releases before and after a rollback. */
export interface RolledBack {
  /** Absent when there was no `current`. */
  readonly from: string | undefined;
  readonly to: string;
}

/**
 * Makes the named release, or the one before the current, current again and pins it: later builds do not replace it. With
 * `until` next, a build with new content does. Its files are checked first. Throws ReleaseError, and leaves `current`
 * unchanged, when there is no such release or it is damaged.
 */
export async function rollback(
  outputDir: string,
  to?: string,
  until: PinUntil = 'released',
): Promise<RolledBack> {
  const from = await currentId(outputDir);
  const releases = await listReleases(outputDir);
  const target = to === undefined ? before(outputDir, releases, from) : named(outputDir, releases, to);
  await verifyListed(target);
  await pinCurrent(outputDir, target.id, { from, until });
  return { from, to: target.id };
}

/** Makes the named release current and ends a pin: later builds replace it. Throws ReleaseError like `rollback`. */
export async function release(outputDir: string, to: string): Promise<RolledBack> {
  const target = named(outputDir, await listReleases(outputDir), to);
  await verifyListed(target);
  return { from: await releaseCurrent(outputDir, target.id), to: target.id };
}

/** Ends a pin; the next release replaces the current one. Returns whether there was a pin. */
export function unpin(outputDir: string): Promise<boolean> {
  return unpinCurrent(outputDir);
}

async function verifyListed(target: ListedRelease): Promise<void> {
  if ('damaged' in target) throw new ReleaseError(target.dir, `is damaged: ${target.damaged}`);
  await verifyRelease(target.dir);
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
