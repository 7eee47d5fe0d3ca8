import { join } from 'node:path';
import { filesOfRelease } from '../release/contract.js';
import { sha256File } from '../release/digest.js';
import { lastRelease, type LastRelease } from '../release/last-release.js';
import { absentIfMissing } from '../release/missing.js';
import { MANIFEST, readManifestFile, releaseDir } from '../release/release-store.js';
import { atMost } from '../store/at-most.js';
import { FileStore } from '../store/file-store.js';
import { AT_ONCE, type RemoteTier } from '../store/remote-tier.js';
import type { BuildSettings, LastReleaseInStore } from './settings.js';
import type { StageContext } from './stage.js';

/**
 * Returns the last release of this build: of the output folder, or with a store that of the machine that started the
 * build. Its folder may then be missing here.
 */
export async function lastReleaseOf({
  settings,
  remote,
}: Pick<StageContext, 'settings' | 'remote'>): Promise<LastRelease> {
  const { outputDir, last } = settings;
  if (!remote) return lastRelease(outputDir);
  if (!last) return {};
  const files = new FileStore(outputDir, remote);
  await files.bring([last.manifest]);
  const manifest = await readManifestFile(files.pathOf(last.manifest.sha256));
  const release = { id: last.id, dir: releaseDir(outputDir, last.id), manifest };
  return { release, ...(last.damaged !== undefined && { damaged: last.damaged }) };
}

/**
 * Uploads the last release of the output folder, as far as the store does not have it: jobs on other machines compare
 * with it and use its datasets if they are unchanged. Damaged files are left out.
 */
export async function shareLastRelease(
  { outputDir }: BuildSettings,
  remote: RemoteTier,
): Promise<LastReleaseInStore | undefined> {
  const { release, damaged } = await lastRelease(outputDir);
  if (!release) return undefined;
  const { id, dir } = release;
  const manifest = await sha256File(join(dir, MANIFEST));
  const files = [{ name: MANIFEST, ...manifest }, ...filesOfRelease(release.manifest)];
  await atMost(AT_ONCE, files, async (file) => {
    if (await remote.has(file)) return;
    const found = await absentIfMissing(sha256File(join(dir, file.name)));
    if (found?.sha256 === file.sha256) await remote.push(join(dir, file.name), found);
  });
  return { id, manifest, ...(damaged !== undefined && { damaged }) };
}
