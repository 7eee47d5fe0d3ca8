import { randomUUID } from 'node:crypto';
import { mkdir, rename, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { absentIfMissing } from '../release/missing.js';
import type { Digests, RemoteTier } from './remote-tier.js';
import { StoreError } from './store-error.js';

/** Returns the folder of everything that a machine keeps between builds. */
export function cacheDir(outputDir: string): string {
  return join(outputDir, 'cache');
}

/**
 * A folder of finished work below `<output>/cache`, named by the content that it was made from: `tables/own-1f2e3d4c…`.
 * Jobs pass on the name. The folder exists complete or not at all, on this machine, in the store, or in both.
 */
export class KeptFolder {
  /** The path on this machine. */
  readonly dir: string;

  constructor(
    readonly outputDir: string,
    readonly name: string,
    readonly remote?: RemoteTier,
  ) {
    this.dir = join(cacheDir(outputDir), name);
  }

  /** Returns whether the folder exists on this machine; otherwise downloads it from the store first, if that has it. */
  async find(): Promise<boolean> {
    if (await absentIfMissing(stat(this.dir))) return true;
    return (await this.remote?.pullFolder(this.name, this.dir)) ?? false;
  }

  /** Uploads the folder unless the store has it. Call it for a folder of an earlier build, after a check of its content. */
  async share(known: Digests): Promise<void> {
    await this.remote?.shareFolder(this.name, this.dir, known);
  }

  /** Returns the path of the folder, which an earlier job of this build has written. Throws StoreError without it. */
  async require(): Promise<string> {
    if (await this.find()) return this.dir;
    throw new StoreError(this.name, `neither in ${this.dir} nor in the store`);
  }

  /**
   * Calls `write` with an empty folder, moves that folder to its place, and uploads it to the store. `write` may return
   * digests that it knows. Throws what `write` throws; nothing is kept then.
   */
  async write(write: (dir: string) => Promise<Digests>): Promise<void> {
    // Workers of several machines may share the folder, so a process id is not unique.
    const beside = `${this.dir}.tmp-${randomUUID()}`;
    try {
      await mkdir(beside, { recursive: true });
      const digests = await write(beside);
      await rm(this.dir, { recursive: true, force: true });
      await rename(beside, this.dir);
      await this.remote?.pushFolder(this.name, this.dir, digests);
    } finally {
      await rm(beside, { recursive: true, force: true });
    }
  }

  /** Removes the folder from this machine. */
  async discard(): Promise<void> {
    await rm(this.dir, { recursive: true, force: true });
  }
}
