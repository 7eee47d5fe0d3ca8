import { builtMs } from './release-at.js';
import { listReleases } from './release-store.js';
import { KEPT_RELEASES } from './prune-releases.js';

/** Which releases stay after a publication. */
export interface KeepRule {
  /** Number of releases; KEPT_RELEASES by default. */
  readonly keepReleases?: number | undefined;
  /** Releases that were built in this many days before `now` stay, too. */
  readonly keepDays?: number | undefined;
}

const DAY_MS = 86_400_000;

/**
 * Returns the number of newest releases to keep, a new one included. `nowEpoch` is the build time of the newest release in
 * seconds. Releases are removed by number, so a release that is built again with an old date keeps its place.
 */
export async function countToKeep(
  outputDir: string,
  { keepReleases = KEPT_RELEASES, keepDays }: KeepRule,
  nowEpoch: number,
): Promise<number> {
  if (keepDays === undefined) return keepReleases;
  const since = nowEpoch * 1000 - keepDays * DAY_MS;
  const releases = await listReleases(outputDir);
  const recent = releases.filter(({ id }) => (builtMs(id) ?? 0) >= since);
  const isListed = recent.some(({ id }) => builtMs(id) === nowEpoch * 1000);
  return Math.max(keepReleases, recent.length + (isListed ? 0 : 1));
}
