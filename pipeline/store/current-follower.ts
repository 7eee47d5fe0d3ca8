import { existsSync } from 'node:fs';
import { mkdir, open } from 'node:fs/promises';
import { join } from 'node:path';
import { tryLock } from 'fs-native-extensions';
import { absentIfMissing } from '../release/missing.js';
import { sha256File } from '../release/digest.js';
import { pruneReleases } from '../release/prune-releases.js';
import {
  buildLockPath,
  currentId,
  MANIFEST,
  releaseDir,
  ReleaseError,
  releasesDir,
} from '../release/release-store.js';
import { switchCurrent } from '../release/switch-current.js';
import { examineRelease } from '../release/verify-release.js';
import { bringRelease } from './bring-release.js';
import type { ObjectStore } from './object-store.js';
import { CURRENT_KEY, readCurrent, type ReleasePointer } from './release-pointer.js';
import { StoreError } from './store-error.js';

/** What a follower keeps up to date, and from where. */
export interface FollowTask {
  readonly store: ObjectStore;
  readonly outputDir: string;
  /** Number of releases to keep in the output folder; at least 1. */
  readonly keep: number;
}

/**
 * What a check of the store found. `none`: the store has no release yet. `unchanged`: its release is current here.
 * `moved`: a release has become current here. `built here`: the output folder belongs to a build and is left alone.
 * `busy`: another process brings a release to this output folder now.
 */
export type Followed =
  | { readonly state: 'none' | 'unchanged' | 'built here' | 'busy' }
  | { readonly state: 'moved'; readonly id: string; readonly downloadedBytes: number };

/**
 * Makes the current release of a store the current one of an output folder. Releases have the same form as those of a
 * build in that folder, and `current` points to a whole release at any moment.
 */
export class CurrentFollower {
  /** The ETag of the last `current` that was taken over completely, and its pointer. */
  #last: { readonly etag: string; readonly pointer: ReleasePointer } | undefined;

  constructor(private readonly task: FollowTask) {}

  /** Checks the store once. Throws TransientError, StoreError, ReleaseError and the system's errors. */
  async poll(): Promise<Followed> {
    const { outputDir } = this.task;
    if (existsSync(buildLockPath(outputDir))) return { state: 'built here' };
    await mkdir(releasesDir(outputDir), { recursive: true });
    const lock = await open(join(outputDir, 'follow.lock'), 'a');
    try {
      return tryLock(lock.fd) ? await this.#follow() : { state: 'busy' };
    } finally {
      await lock.close();
    }
  }

  async #follow(): Promise<Followed> {
    const found = await readCurrent(this.task.store, this.#last?.etag);
    if (found === undefined) return this.#withoutCurrent();
    const { etag, pointer } = found === 'unchanged' ? this.#last! : found;
    const isChecked = this.#last?.pointer.manifest.sha256 === pointer.manifest.sha256;
    const downloadedBytes = await this.#bring(pointer, isChecked);
    const isMoved = await this.#moveTo(pointer.id);
    this.#last = { etag, pointer };
    if (!isMoved && downloadedBytes === undefined) return { state: 'unchanged' };
    await pruneReleases(this.task.outputDir, this.task.keep);
    return { state: 'moved', id: pointer.id, downloadedBytes: downloadedBytes ?? 0 };
  }

  /** A store without a release is a fault if there was one: its folder may have lost its file system. */
  async #withoutCurrent(): Promise<Followed> {
    const { store, outputDir } = this.task;
    if ((await linkedId(outputDir)) === undefined) return { state: 'none' };
    throw new StoreError(`${store.name}/${CURRENT_KEY}`, 'is missing');
  }

  /** Brings a release unless it is here. Returns the number of downloaded bytes; undefined if it was here. */
  async #bring(pointer: ReleasePointer, isChecked: boolean): Promise<number | undefined> {
    const dir = releaseDir(this.task.outputDir, pointer.id);
    const manifest = await absentIfMissing(sha256File(join(dir, MANIFEST)));
    const isHere = manifest?.sha256 === pointer.manifest.sha256;
    if (isHere && (isChecked || !((await examineRelease(dir)) instanceof ReleaseError))) return undefined;
    return (await bringRelease({ ...this.task, pointer })).downloadedBytes;
  }

  /** Points `current` at a release. Returns false if it does already. */
  async #moveTo(id: string): Promise<boolean> {
    const { outputDir } = this.task;
    if ((await linkedId(outputDir)) === id) return false;
    await switchCurrent(outputDir, id);
    return true;
  }
}

/** Returns the id that `current` points to; undefined without a link or with one that points elsewhere. */
async function linkedId(outputDir: string): Promise<string | undefined> {
  try {
    return await currentId(outputDir);
  } catch (error) {
    if (error instanceof ReleaseError) return undefined;
    throw error;
  }
}
