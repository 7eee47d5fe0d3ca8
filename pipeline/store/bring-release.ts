import { mkdir, readdir, rename, rm } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { filesOfRelease } from '../release/contract.js';
import { sha256File, type FileDigest } from '../release/digest.js';
import { fsyncPath, fsyncTree } from '../release/durable.js';
import { linkFile } from '../release/link-file.js';
import { absentIfMissing } from '../release/missing.js';
import {
  listReleases,
  MANIFEST,
  readManifestFile,
  releaseDir,
  releasesDir,
  REPORT,
  UNFINISHED,
} from '../release/release-store.js';
import { fileNames, verifyNames } from '../release/verify-release.js';
import { atMost } from './at-most.js';
import type { ObjectStore } from './object-store.js';
import type { ReleasePointer } from './release-pointer.js';
import { StoreError } from './store-error.js';
import { downloadContent } from './verified-read.js';

/** A release of a store, and the output folder to which it is brought. */
export interface BringTask {
  readonly store: ObjectStore;
  readonly outputDir: string;
  readonly pointer: ReleasePointer;
}

/** How the files of a release were found. */
export interface Brought {
  /** Bytes that were downloaded. All others were here, in another release or from an earlier attempt. */
  readonly downloadedBytes: number;
}

/**
 * Brings a release to the output folder, complete or not at all. Files that another release has are linked; all others
 * are downloaded and verified. An attempt that ends early keeps its finished files for the next one. The caller is the
 * only one that brings releases there. Throws StoreError, TransientError, and ReleaseError for an invalid manifest.
 */
export async function bringRelease(task: BringTask): Promise<Brought> {
  const { outputDir, pointer } = task;
  const workDir = join(releasesDir(outputDir), `${WORK_PREFIX}${pointer.id}`);
  await removeOtherWork(outputDir, workDir);
  await mkdir(workDir, { recursive: true });
  const bringer = new Bringer(task, await filesHere(outputDir));
  await bringer.bring(join(workDir, MANIFEST), pointer.manifest);
  const manifest = await readManifestFile(join(workDir, MANIFEST));
  if (manifest.id !== pointer.id)
    throw new StoreError(task.store.name, `release ${pointer.id} has the manifest of ${manifest.id}`);
  const files = filesOfRelease(manifest);
  const names = [MANIFEST, ...(pointer.report ? [REPORT] : []), ...files.map(({ name }) => name)];
  await removeForeign(workDir, new Set(names));
  await atMost(FILES_AT_ONCE, files, (file) => bringer.bring(join(workDir, file.name), file));
  if (pointer.report) await bringer.bring(join(workDir, REPORT), pointer.report);
  await fsyncTree(workDir);
  await verifyNames(workDir, files);
  await moveIn(workDir, releaseDir(outputDir, pointer.id));
  return { downloadedBytes: bringer.downloadedBytes };
}

/** Brings single files. */
class Bringer {
  downloadedBytes = 0;

  constructor(
    private readonly task: BringTask,
    /** Paths of files of other releases by sha256. */
    private readonly here: ReadonlyMap<string, string>,
  ) {}

  async bring(path: string, digest: FileDigest): Promise<void> {
    if (await isWhole(path, digest)) return;
    await mkdir(dirname(path), { recursive: true });
    const other = this.here.get(digest.sha256);
    if (other !== undefined && (await this.#linked(other, path, digest))) return;
    await rm(path, { force: true });
    await downloadContent(this.task.store, digest, path);
    this.downloadedBytes += digest.sizeBytes;
  }

  /** Links a file of another release. Returns false if that file is missing or damaged. */
  async #linked(other: string, path: string, digest: FileDigest): Promise<boolean> {
    await rm(path, { force: true });
    await absentIfMissing(linkFile(other, path));
    return isWhole(path, digest);
  }
}

async function isWhole(path: string, { sha256 }: FileDigest): Promise<boolean> {
  return (await absentIfMissing(sha256File(path)))?.sha256 === sha256;
}

async function filesHere(outputDir: string): Promise<Map<string, string>> {
  const here = new Map<string, string>();
  for (const release of await listReleases(outputDir)) {
    if ('damaged' in release) continue;
    for (const { name, sha256 } of filesOfRelease(release.manifest))
      here.set(sha256, join(release.dir, name));
  }
  return here;
}

/** Removes what killed followers left, except for the work on this release. */
async function removeOtherWork(outputDir: string, workDir: string): Promise<void> {
  for (const dir of [outputDir, releasesDir(outputDir)]) {
    const names = (await absentIfMissing(readdir(dir))) ?? [];
    for (const path of names.filter((name) => LEFT_BEHIND.test(name)).map((name) => join(dir, name)))
      if (path !== workDir) await rm(path, { recursive: true, force: true });
  }
}

/** Work folders of followers, removed releases, damaged ones and new links. Not the work of jobs. */
const LEFT_BEHIND = /^\.tmp-(store-|pruned-|damaged-|current-)/;

/** Removes files of an earlier attempt that are not part of the release. */
async function removeForeign(workDir: string, names: ReadonlySet<string>): Promise<void> {
  for (const name of await fileNames(workDir))
    if (!names.has(name)) await rm(join(workDir, name), { force: true });
}

/** Renames a work folder to a release. A damaged release of this id is replaced. */
async function moveIn(workDir: string, dir: string): Promise<void> {
  const aside = join(dirname(dir), `${UNFINISHED}damaged-${basename(dir)}`);
  await rm(aside, { recursive: true, force: true });
  await absentIfMissing(rename(dir, aside));
  await rename(workDir, dir);
  await fsyncPath(dirname(dir));
  await rm(aside, { recursive: true, force: true });
}

/** Name prefix of the folders in which releases are put together. */
const WORK_PREFIX = `${UNFINISHED}store-`;
const FILES_AT_ONCE = 4;
