import assert from 'node:assert';
import { mkdir, rename, rm, stat, writeFile } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { filesOfRelease, type Manifest } from './contract.js';
import { fsyncPath, fsyncTree } from './durable.js';
import { failedGates } from './gates.js';
import { lastRelease } from './last-release.js';
import { absentIfMissing } from './missing.js';
import { pruneReleases } from './prune-releases.js';
import {
  encodeManifest,
  MANIFEST,
  releaseDir,
  ReleaseError,
  releaseId,
  releasesDir,
  REPORT,
  UNFINISHED,
} from './release-store.js';
import { renderReport } from './report/render-report.js';
import { serveRelease } from './serve-release.js';
import { examineRelease, verifyFiles } from './verify-release.js';

/** The steps of a publication in their order; a run may be killed after any of them. */
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

/** What is to be published, and where. */
export interface Publication {
  readonly outputDir: string;
  readonly manifest: Manifest;
  /**
   * Holds the manifest's files and nothing else, on the file system of `outputDir`; becomes the release. Best a
   * folder `.tmp-*` among the releases, which `sweep` removes when nobody finishes it.
   */
  readonly workDir: string;
  /** How many releases stay, 7 by default. */
  readonly keep?: number;
  /** Called after every step, waited for. */
  readonly onStep?: (step: PublishStep) => void | Promise<void>;
}

/** What a publication came to. */
export interface Published {
  readonly id: string;
  readonly dir: string;
  /** The release was there already, from a run that got this far; the work folder was left alone. */
  readonly alreadyThere: boolean;
  /** Ids of the releases that were removed. */
  readonly removed: readonly string[];
}

/**
 * Publishes a work folder: write manifest and report, verify, rename, swap the link, prune. `current` points to a whole
 * release at any moment, and a killed publication is finished by calling it again. A damaged release of this id gives
 * way. Throws ReleaseError when a gate has failed, a file is not what the manifest says, or another whole release of
 * this id is there.
 */
export async function publishRelease(publication: Publication): Promise<Published> {
  const { outputDir, manifest, keep = 7 } = publication;
  const { id } = manifest;
  const step = async (name: PublishStep): Promise<void> => publication.onStep?.(name);
  const dir = releaseDir(outputDir, id);
  checkManifest(manifest);
  await mkdir(releasesDir(outputDir), { recursive: true });
  await step('started');
  const alreadyThere = await isPublished(dir, manifest);
  if (!alreadyThere) await bringIn(publication, dir, step);
  await fsyncPath(releasesDir(outputDir));
  await step('rename synced');
  await serveRelease(outputDir, id, () => step('link made'));
  await step('served');
  const removed = await pruneReleases(outputDir, keep, () => step('set aside'));
  await step('pruned');
  return { id, dir, alreadyThere, removed };
}

function checkManifest(manifest: Manifest): void {
  assert(manifest.id === releaseId(manifest.buildEpoch, manifest.buildKey), 'the id says when and from what');
  const failed = failedGates(manifest.gates);
  if (failed.length > 0) {
    throw new ReleaseError(manifest.id, `failed its gates: ${failed.map(({ name }) => name).join(', ')}`);
  }
}

/**
 * Is this very release there, and whole? Gates are left out of the comparison: the run that was killed may have
 * measured them against another last release.
 */
async function isPublished(dir: string, manifest: Manifest): Promise<boolean> {
  if (!(await absentIfMissing(stat(dir)))) return false;
  const there = await examineRelease(dir);
  if (there instanceof ReleaseError) return false;
  const same = encodeManifest({ ...there, gates: [] }) === encodeManifest({ ...manifest, gates: [] });
  if (!same) throw new ReleaseError(dir, 'another release of the same id is there: its manifest differs');
  return true;
}

async function bringIn(
  { outputDir, manifest, workDir }: Publication,
  dir: string,
  step: (name: PublishStep) => Promise<void>,
): Promise<void> {
  const last = (await lastRelease(outputDir)).release?.manifest;
  await writeFile(join(workDir, REPORT), renderReport({ manifest, last }));
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
