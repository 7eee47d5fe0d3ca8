import { createHash, randomUUID } from 'node:crypto';
import { constants, createReadStream } from 'node:fs';
import { copyFile, mkdir, open, readdir, rename, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { sha256File, type FileDigest } from '../release/digest.js';
import { fsyncPath } from '../release/durable.js';
import { linkFile } from '../release/link-file.js';
import { absentIfMissing } from '../release/missing.js';

/**
 * Files by the sha256 of their content, in `<output>/cache/files`. The build reads these copies, so a publisher's file
 * may change during the build. Last good copies stay available.
 */
export class FileStore {
  readonly #dir: string;
  /** Sizes of all files in the store. Loaded when the first file is added. */
  #sizes: Set<number> | undefined;

  constructor(outputDir: string) {
    this.#dir = join(outputDir, 'cache', 'files');
  }

  pathOf(sha256: string): string {
    return join(this.#dir, sha256);
  }

  /** Returns whether a file of this digest and size exists. Does not read it. */
  async holds({ sha256, sizeBytes }: FileDigest): Promise<boolean> {
    const found = await stat(this.pathOf(sha256)).catch(() => undefined);
    return found?.size === sizeBytes;
  }

  /** Reads the whole file and returns whether its content matches the digest. */
  async isWhole(digest: FileDigest): Promise<boolean> {
    if (!(await this.holds(digest))) return false;
    return (await sha256File(this.pathOf(digest.sha256))).sha256 === digest.sha256;
  }

  /**
   * Stores the content of a file, replacing a damaged copy, and returns its digest. With `mayLink` the store may use a
   * hard link; then the original must never be modified in place.
   */
  async keep(path: string, { mayLink = false } = {}): Promise<FileDigest> {
    // A file of a new size is new content: it is read only once, during the copy.
    this.#sizes ??= await sizesIn(this.#dir);
    if (this.#sizes.has((await stat(path)).size)) {
      const seen = await sha256File(path);
      if (await this.isWhole(seen)) return seen;
    }
    await mkdir(this.#dir, { recursive: true });
    // Other threads may store the same file at the same time: all feeds share IANA's registries.
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

/** Returns the sizes of the files in a folder. */
async function sizesIn(dir: string): Promise<Set<number>> {
  const sizes = new Set<number>();
  for (const name of (await absentIfMissing(readdir(dir))) ?? []) {
    // Temporary files of other threads may disappear.
    const found = await absentIfMissing(stat(join(dir, name)));
    if (found) sizes.add(found.size);
  }
  return sizes;
}

async function linkAndDigest(from: string, to: string): Promise<FileDigest> {
  await linkFile(from, to);
  return sha256File(to);
}

/** Copies a file and returns the digest of the copy, because the original may change during the copy. */
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

/** Whether the error means that the file system cannot clone files. */
function isCloneless(error: unknown): boolean {
  return error instanceof Error && 'code' in error && CLONELESS.includes(String(error.code));
}

const CLONELESS = ['ENOTSUP', 'EOPNOTSUPP', 'EXDEV', 'EINVAL', 'ENOSYS', 'ENOTTY', 'EPERM'];
const CHUNK_BYTES = 1 << 20;
