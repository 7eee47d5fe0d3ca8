import { createHash, randomUUID } from 'node:crypto';
import { constants, createReadStream } from 'node:fs';
import { copyFile, mkdir, open, readdir, rename, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { sha256File, type FileDigest } from '../release/digest.js';
import { fsyncPath } from '../release/durable.js';
import { linkFile } from '../release/link-file.js';
import { absentIfMissing } from '../release/missing.js';

/**
 * Files by the sha256 of their content, below `<output>/cache/files`. What has been hashed is what is read, whatever
 * happens to the publisher's file afterwards, and last good copies stay at hand.
 */
export class FileStore {
  readonly #dir: string;
  /** Of the files that were kept when this store was first asked to keep one, and of those it has kept since. */
  #sizes: Set<number> | undefined;

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

  /**
   * Keeps the file's content, in the place of a damaged copy too; its digest. With `mayLink` it may be the file itself
   * under a second name: nobody must write into it then.
   */
  async keep(path: string, { mayLink = false } = {}): Promise<FileDigest> {
    // Where no kept file has its size it is new: it is read once, while it is copied.
    this.#sizes ??= await sizesIn(this.#dir);
    if (this.#sizes.has((await stat(path)).size)) {
      const seen = await sha256File(path);
      if (await this.isWhole(seen)) return seen;
    }
    await mkdir(this.#dir, { recursive: true });
    // Other threads may keep the same file at this moment: IANA's registries belong to every feed.
    const beside = join(this.#dir, `.tmp-${randomUUID()}`);
    try {
      const kept = await (mayLink ? linkAndDigest(path, beside) : copyAndDigest(path, beside));
      await fsyncPath(beside);
      await rename(beside, this.pathOf(kept.sha256));
      await fsyncPath(this.#dir);
      this.#sizes.add(kept.sizeBytes);
      return kept;
    } finally {
      await rm(beside, { force: true });
    }
  }
}

/** Sizes of the files in a folder. */
async function sizesIn(dir: string): Promise<Set<number>> {
  const sizes = new Set<number>();
  for (const name of (await absentIfMissing(readdir(dir))) ?? []) {
    // What others are about to rename may go away.
    const found = await absentIfMissing(stat(join(dir, name)));
    if (found) sizes.add(found.size);
  }
  return sizes;
}

async function linkAndDigest(from: string, to: string): Promise<FileDigest> {
  await linkFile(from, to);
  return sha256File(to);
}

/** The digest is that of the copy: the file may change while it is read. */
async function copyAndDigest(from: string, to: string): Promise<FileDigest> {
  try {
    await copyFile(from, to, constants.COPYFILE_FICLONE_FORCE);
    return await sha256File(to);
  } catch (error) {
    if (!isCloneless(error)) throw error;
  }
  const hash = createHash('sha256');
  let sizeBytes = 0;
  const copy = await open(to, 'w');
  try {
    for await (const chunk of createReadStream(from, { highWaterMark: CHUNK_BYTES })) {
      const bytes = chunk as Buffer;
      hash.update(bytes);
      await copy.writeFile(bytes);
      sizeBytes += bytes.length;
    }
  } finally {
    await copy.close();
  }
  return { sha256: hash.digest('hex'), sizeBytes };
}

/** The word of a file system that cannot clone a file. */
function isCloneless(error: unknown): boolean {
  return error instanceof Error && 'code' in error && CLONELESS.includes(String(error.code));
}

const CLONELESS = ['ENOTSUP', 'EOPNOTSUPP', 'EXDEV', 'EINVAL', 'ENOSYS', 'ENOTTY', 'EPERM'];
const CHUNK_BYTES = 1 << 20;
