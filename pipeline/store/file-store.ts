import { createHash, randomUUID } from 'node:crypto';
import { constants, createReadStream } from 'node:fs';
import { copyFile, mkdir, open, readdir, rename, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { sha256File, type FileDigest } from '../release/digest.js';
import { fsyncPath } from '../release/durable.js';
import { linkFile } from '../release/link-file.js';
import { absentIfMissing } from '../release/missing.js';
import { atMost } from './at-most.js';
import { cacheDir } from './kept-folder.js';
import { AT_ONCE, type RemoteTier } from './remote-tier.js';
import { StoreError } from './store-error.js';

/**
 * Files by the sha256 of their content, in `<output>/cache/files` and in the store that machines share. The build reads
 * these copies, so a publisher's file may change during the build. Last good copies stay available.
 */
export class FileStore {
  readonly #dir: string;
  readonly #remote: RemoteTier | undefined;
  /** Sizes of all files in the store. Loaded when the first file is added. */
  #sizes: Set<number> | undefined;

  constructor(outputDir: string, remote?: RemoteTier) {
    this.#dir = join(cacheDir(outputDir), 'files');
    this.#remote = remote;
  }

  pathOf(sha256: string): string {
    return join(this.#dir, sha256);
  }

  /** Returns whether a file of this digest and size is on this machine or in the shared store. Does not read it. */
  async holds(digest: FileDigest): Promise<boolean> {
    return (await this.#isHere(digest)) || ((await this.#remote?.has(digest)) ?? false);
  }

  /** Reads the whole file and returns whether its content matches the digest. A damaged file is downloaded again. */
  async isWhole(digest: FileDigest): Promise<boolean> {
    return (await this.#isWholeHere(digest)) || (await this.#pull(digest));
  }

  /** Brings files to this machine from the shared store. Files that are here are not read. Throws StoreError. */
  async bring(digests: readonly FileDigest[]): Promise<void> {
    const remote = this.#remote;
    if (!remote) return;
    await atMost(AT_ONCE, digests, async (digest) => {
      if (!(await this.#isHere(digest))) await remote.pull(digest, this.pathOf(digest.sha256));
    });
  }

  /** Uploads files of this machine that the shared store does not have. */
  async share(digests: readonly FileDigest[]): Promise<void> {
    const remote = this.#remote;
    if (!remote) return;
    await atMost(AT_ONCE, digests, (digest) => remote.push(this.pathOf(digest.sha256), digest));
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
      if (await this.#isWholeHere(seen)) return seen;
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

  async #isHere({ sha256, sizeBytes }: FileDigest): Promise<boolean> {
    const found = await stat(this.pathOf(sha256)).catch(() => undefined);
    return found?.size === sizeBytes;
  }

  async #isWholeHere(digest: FileDigest): Promise<boolean> {
    if (!(await this.#isHere(digest))) return false;
    return (await sha256File(this.pathOf(digest.sha256))).sha256 === digest.sha256;
  }

  /** Downloads a file. Returns false without a shared store, or if it does not have the file whole. */
  async #pull(digest: FileDigest): Promise<boolean> {
    try {
      await this.#remote?.pull(digest, this.pathOf(digest.sha256));
      return this.#remote !== undefined;
    } catch (error) {
      if (error instanceof StoreError) return false;
      throw error;
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
