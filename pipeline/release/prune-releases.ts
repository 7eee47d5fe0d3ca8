import assert from 'node:assert';
import { readdir, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { absentIfMissing } from './missing.js';
import { currentId, listReleases, releaseDir, releasesDir, UNFINISHED } from './release-store.js';

/**
 * Removes all but the newest `keep` (at least 1) whole releases; the one that `current` points to stays and counts.
 * A damaged one neither counts nor goes: somebody should look at it. The ids removed. A release is set aside by
 * rename before its files go (`aside` is called between), so that no half of one is ever listed.
 */
export async function pruneReleases(
  outputDir: string,
  keep: number,
  aside?: () => Promise<void>,
): Promise<string[]> {
  assert(Number.isInteger(keep) && keep >= 1, 'at least one release is kept');
  const served = await currentId(outputDir);
  const whole = (await listReleases(outputDir)).filter((release) => !('damaged' in release));
  const others = whole.filter(({ id }) => id !== served);
  const removed = others.slice(Math.max(keep - (whole.length - others.length), 0)).map(({ id }) => id);
  for (const id of removed) {
    const doomed = join(releasesDir(outputDir), `${UNFINISHED}pruned-${id}`);
    await rm(doomed, { recursive: true, force: true });
    await rename(releaseDir(outputDir, id), doomed);
    await aside?.();
    await rm(doomed, { recursive: true });
  }
  return removed;
}

/**
 * Removes what killed runs left unfinished in the output folder and among the releases; the names removed. Only for
 * a run that knows itself to be alone: another run's work folder would go as well.
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
