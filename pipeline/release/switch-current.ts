import { rename, rm, symlink } from 'node:fs/promises';
import { basename, join, relative } from 'node:path';
import { fsyncPath } from './durable.js';
import { currentLink, releaseDir, UNFINISHED } from './release-store.js';

/**
 * Points `current` at a release atomically: readers of the link find the old or the new release. `made` is called
 * between creating the new link and renaming it over the old one.
 */
export async function switchCurrent(
  outputDir: string,
  id: string,
  made?: () => Promise<void>,
): Promise<void> {
  const link = currentLink(outputDir);
  const fresh = join(outputDir, `${UNFINISHED}${basename(link)}-${process.pid}`);
  await rm(fresh, { force: true });
  await symlink(relative(outputDir, releaseDir(outputDir, id)), fresh);
  await made?.();
  await rename(fresh, link);
  await fsyncPath(outputDir);
}
