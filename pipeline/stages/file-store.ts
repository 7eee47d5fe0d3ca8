import { randomUUID } from 'node:crypto';
import { constants } from 'node:fs';
import { copyFile, mkdir, rename, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { sha256File, type FileDigest } from '../release/digest.js';
import { fsyncPath } from '../release/durable.js';

/**
 * Files by the sha256 of their content, below `<output>/cache/files`. What has been hashed is what is read, whatever
 * happens to the publisher's file afterwards, and last good copies stay at hand.
 */
export class FileStore {
  readonly #dir: string;

  constructor(outputDir: string) {
    this.#dir = join(outputDir, 'cache', 'files');
  }

  pathOf(sha256: string): string {
    return join(this.#dir, sha256);
  }

  /** Whether a file of this name and size is kept; its content is not looked at. */
  async holds({ sha256, sizeBytes }: FileDigest): Promise<boolean> {
    const found = await stat(this.pathOf(sha256)).catch(() => undefined);
    return found?.size === sizeBytes;
  }

  /** Whether a file of this content is kept: all of it is read. */
  async isWhole(digest: FileDigest): Promise<boolean> {
    if (!(await this.holds(digest))) return false;
    return (await sha256File(this.pathOf(digest.sha256))).sha256 === digest.sha256;
  }

  /** Keeps a copy of the file's content, in the place of a damaged one too; its digest. */
  async keep(path: string): Promise<FileDigest> {
    const seen = await sha256File(path);
    if (await this.isWhole(seen)) return seen;
    await mkdir(this.#dir, { recursive: true });
    // Other threads may keep the same file at this moment: IANA's registries belong to every feed.
    const beside = join(this.#dir, `.tmp-${randomUUID()}`);
    try {
      await copyFile(path, beside, constants.COPYFILE_FICLONE);
      // The file may have changed between the two readings: the copy is what counts.
      const kept = await sha256File(beside);
      await fsyncPath(beside);
      await rename(beside, this.pathOf(kept.sha256));
      await fsyncPath(this.#dir);
      return kept;
    } finally {
      await rm(beside, { force: true });
    }
  }
}
