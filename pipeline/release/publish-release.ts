import assert from 'node:assert';
import { mkdir, rename, rm, stat, writeFile } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { filesOfRelease, type Manifest } from './contract.js';
import { fsyncPath, fsyncTree } from './durable.js';
import { failedGates } from './gates.js';
import { lastRelease } from './last-release.js';
import { offerCurrent } from './move-current.js';
import { absentIfMissing } from './missing.js';
import { KEPT_RELEASES, pruneReleases } from './prune-releases.js';
import {
  encodeManifest,
  keptManifests,
  MANIFEST,
  releaseDir,
  ReleaseError,
  releaseId,
  releasesDir,
  REPORT,
  UNFINISHED,
} from './release-store.js';
import { renderReport } from './report/render-report.js';
import { releaseTrend } from './trend.js';
import { examineRelease, verifyFiles } from './verify-release.js';

/** The steps of a publication in order. A run may be killed after any of them. */
export const PUBLISH_STEPS = [
  'started',
  'manifest written',
  'synced',
  'verified',
  'renamed',
  'rename synced',
  'link made',
  'served',
  'set aside',
  'pruned',
] as const;
export type PublishStep = (typeof PUBLISH_STEPS)[number];

/** The manifest and files to publish, and the output folder. */
export interface Publication {
  readonly outputDir: string;
  readonly manifest: Manifest;
  /**
   * A folder with exactly the manifest's files, on the file system of `outputDir`. It becomes the release. A folder
   * `.tmp-*` among the releases is best, because `sweep` removes it after a killed run.
   */
  readonly workDir: string;
  /** Number of releases to keep; KEPT_RELEASES by default. */
  readonly keep?: number;
  /** Called and awaited after every step. */
  readonly onStep?: (step: PublishStep) => void | Promise<void>;
}

/** The result of a publication. */
export interface Published {
  readonly id: string;
  readonly dir: string;
  /** The release already existed from a killed run; the work folder was not used. */
  readonly alreadyThere: boolean;
  /** Id of the pinned release that stays current instead of this one. */
  readonly held?: string;
  /** Ids of the removed releases. */
  readonly removed: readonly string[];
}

/**
 * Publishes a work folder: writes manifest and report, verifies, renames, switches the link, prunes. `current` points
 * to a whole release at any moment. A pin keeps `current` as it is. After a kill, calling it again finishes the publication. A damaged release of the
 * same id is replaced. Throws ReleaseError when a gate has failed, a file differs from the manifest, or another whole
 * release with this id exists.
 */
export async function publishRelease(publication: Publication): Promise<Published> {
  const { outputDir, manifest, keep = KEPT_RELEASES } = publication;
  const { id } = manifest;
  const step = async (name: PublishStep): Promise<void> => publication.onStep?.(name);
  const dir = releaseDir(outputDir, id);
  checkManifest(manifest);
  await mkdir(releasesDir(outputDir), { recursive: true });
  await step('started');
  const alreadyThere = await isPublished(dir, manifest);
  if (!alreadyThere) await bringIn({ ...publication, keep }, dir, step);
  await fsyncPath(releasesDir(outputDir));
  await step('rename synced');
  const held = await offerCurrent(outputDir, manifest, () => step('link made'));
  await step('served');
  const removed = await pruneReleases(outputDir, keep, () => step('set aside'));
  await step('pruned');
  return { id, dir, alreadyThere, ...(held !== undefined && { held }), removed };
}

function checkManifest(manifest: Manifest): void {
  assert(
    manifest.id === releaseId(manifest.buildEpoch, manifest.buildKey),
    'the id consists of the build epoch and the build key',
  );
  const failed = failedGates(manifest.gates);
  if (failed.length > 0) {
    throw new ReleaseError(manifest.id, `failed its gates: ${failed.map(({ name }) => name).join(', ')}`);
  }
}

/**
 * Returns whether this release already exists and is whole. Gates, changes, deltas and the build time are not compared:
 * it may have been compared with another last release, before a killed run or a night with other inputs.
 */
async function isPublished(dir: string, manifest: Manifest): Promise<boolean> {
  if (!(await absentIfMissing(stat(dir)))) return false;
  const there = await examineRelease(dir);
  if (there instanceof ReleaseError) return false;
  const same = encodeManifest(lasting(there)) === encodeManifest(lasting(manifest));
  if (!same) throw new ReleaseError(dir, 'another release with this id exists: its manifest differs');
  return true;
}

/** Returns the part of a manifest that is the same for a repeated build. */
function lasting({ buildSeconds: _, changes: __, deltas: ___, ...manifest }: Manifest): Manifest {
  return { ...manifest, gates: [] };
}

async function bringIn(
  { outputDir, manifest, workDir, keep }: Publication & { readonly keep: number },
  dir: string,
  step: (name: PublishStep) => Promise<void>,
): Promise<void> {
  const last = (await lastRelease(outputDir)).release?.manifest;
  const kept = await keptManifests(outputDir, manifest.id, keep);
  const trend = releaseTrend(manifest, kept);
  await writeFile(join(workDir, REPORT), renderReport({ manifest, last, trend }));
  await writeFile(join(workDir, MANIFEST), encodeManifest(manifest));
  await step('manifest written');
  await fsyncTree(workDir);
  await step('synced');
  await verifyFiles(workDir, filesOfRelease(manifest));
  await step('verified');
  const aside = join(dirname(dir), `${UNFINISHED}damaged-${basename(dir)}`);
  await rm(aside, { recursive: true, force: true });
  await absentIfMissing(rename(dir, aside));
  await rename(workDir, dir);
  await step('renamed');
  await rm(aside, { recursive: true, force: true });
}
