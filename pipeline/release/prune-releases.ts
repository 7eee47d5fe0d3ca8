import assert from 'node:assert';
import { readdir, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { withCurrentLock } from './current-lock.js';
import { absentIfMissing } from './missing.js';
import { readPin } from './pin.js';
import { currentId, listReleases, releaseDir, releasesDir, UNFINISHED } from './release-store.js';

/** Number of releases that are kept by default, the current one included. */
export const KEPT_RELEASES = 7;

/**
 * Removes all but the newest `keep` (at least 1) whole releases and returns the removed ids. The release that `current`
 * points to, a pinned one and those that a pin rejects always stay and count. Under a pin the newest other release stays
 * too. Damaged releases stay and do not count. A release is renamed before its files are removed (`aside` is called
 * between), so a partial one is never listed. No rollback changes `current` meanwhile.
 */
export async function pruneReleases(
  outputDir: string,
  keep: number,
  aside?: () => Promise<void>,
): Promise<string[]> {
  assert(Number.isInteger(keep) && keep >= 1, 'keep is a whole number of at least 1');
  const removed = await withCurrentLock(outputDir, async () => {
    const doomed = await doomedReleases(outputDir, keep);
    for (const id of doomed) {
      await rm(asidePath(outputDir, id), { recursive: true, force: true });
      await rename(releaseDir(outputDir, id), asidePath(outputDir, id));
      await aside?.();
    }
    return doomed;
  });
  for (const id of removed) await rm(asidePath(outputDir, id), { recursive: true, force: true });
  return removed;
}

/** Returns the ids of the releases to remove. */
async function doomedReleases(outputDir: string, keep: number): Promise<string[]> {
  const pin = await readPin(outputDir);
  const rejected = pin?.rejected.map(({ id }) => id) ?? [];
  const staying = new Set([await currentId(outputDir), pin?.release, ...rejected]);
  const whole = (await listReleases(outputDir)).filter((release) => !('damaged' in release));
  const others = whole.filter(({ id }) => !staying.has(id));
  const least = pin === undefined ? 0 : 1;
  return others.slice(Math.max(keep - (whole.length - others.length), least)).map(({ id }) => id);
}

function asidePath(outputDir: string, id: string): string {
  return join(releasesDir(outputDir), `${UNFINISHED}pruned-${id}`);
}

/**
 * Removes unfinished folders and links of killed runs and returns their names. Only for the holder of the build lock:
 * it would remove the work folder of another run.
 */
export async function sweep(outputDir: string): Promise<string[]> {
  const removed: string[] = [];
  for (const dir of [outputDir, releasesDir(outputDir)]) {
    for (const name of await unfinishedNames(dir)) {
      await rm(join(dir, name), { recursive: true, force: true });
      removed.push(name);
    }
  }
  return removed;
}

async function unfinishedNames(dir: string): Promise<string[]> {
  const names = (await absentIfMissing(readdir(dir))) ?? [];
  return names.filter((name) => name.startsWith(UNFINISHED)).sort();
}
