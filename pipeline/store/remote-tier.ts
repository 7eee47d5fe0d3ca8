import { randomUUID } from 'node:crypto';
import { mkdir, rename, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { z } from 'zod';
import { sha256File, type FileDigest } from '../release/digest.js';
import { fsyncPath } from '../release/durable.js';
import { fileNames } from '../release/verify-release.js';
import { atMost } from './at-most.js';
import { isPlainKey } from './object-key.js';
import type { ObjectStore } from './object-store.js';
import { PATIENCE_MS, withPatience, type Patience } from './patience.js';
import { StoreError } from './store-error.js';
import { contentKey, downloadOrRemove, readBody } from './verified-read.js';
import { parseJson } from '../text/parse-json.js';

/** The digests of files by name. */
export type Digests = Readonly<Record<string, FileDigest>>;

/** The sha256 and the size of content. */
export const digestSchema = z.strictObject({
  sha256: z.string().regex(/^[0-9a-f]{64}$/),
  sizeBytes: z.int().nonnegative(),
});
const indexSchema = z.strictObject({ files: z.record(z.string().refine(isPlainKey), digestSchema) });

/**
 * The store of a build, behind the files of a machine: content by sha256 in `objects/`, and folders of finished work in
 * `kept/`, an index of names and digests each. Everything that is read is verified. Waits while the store does not
 * respond. Throws StoreError.
 */
export class RemoteTier {
  readonly #open: () => Promise<ObjectStore>;
  readonly #patience: Patience;
  #opened: Promise<ObjectStore> | undefined;

  constructor(
    open: () => Promise<ObjectStore>,
    { log, patienceMs = PATIENCE_MS, firstWaitMs = 1000 }: Pick<Patience, 'log'> & Partial<Patience>,
  ) {
    this.#open = open;
    this.#patience = { log, patienceMs, firstWaitMs };
  }

  /** Runs a step with the store, again and again while the store does not respond. */
  async use<T>(step: (store: ObjectStore) => Promise<T>): Promise<T> {
    const store = await (this.#opened ??= this.#open());
    return withPatience(this.#patience, () => step(store));
  }

  /** Returns whether the store has content of this digest. */
  async has({ sha256, sizeBytes }: FileDigest): Promise<boolean> {
    const head = await this.use((store) => store.head(contentKey(sha256)));
    return head?.sizeBytes === sizeBytes;
  }

  /** Uploads a file that does not change meanwhile, unless the store has its content. */
  async push(path: string, digest: FileDigest): Promise<void> {
    if (await this.has(digest)) return;
    await this.use((store) => store.put(contentKey(digest.sha256), { path }));
  }

  /** Downloads content to a path, complete or not at all. Throws StoreError if it is missing or wrong. */
  async pull(digest: FileDigest, path: string): Promise<void> {
    await mkdir(dirname(path), { recursive: true });
    const beside = join(dirname(path), `.tmp-${randomUUID()}`);
    try {
      await this.use((store) => downloadOrRemove(store, digest, beside));
      await rename(beside, path);
      await fsyncPath(dirname(path));
    } finally {
      await rm(beside, { force: true });
    }
  }

  /** Uploads a folder of finished work unless the store has an index of this name. */
  async shareFolder(name: string, dir: string, known: Digests): Promise<void> {
    if (!(await this.use((store) => store.head(indexKey(name))))) await this.pushFolder(name, dir, known);
  }

  /** Uploads a folder of finished work: the content that is missing, then the index. `known` are digests of its files. */
  async pushFolder(name: string, dir: string, known: Digests = {}): Promise<void> {
    const files: Record<string, FileDigest> = {};
    for (const file of await fileNames(dir)) files[file] = known[file] ?? (await sha256File(join(dir, file)));
    await atMost(AT_ONCE, Object.entries(files), ([file, digest]) => this.push(join(dir, file), digest));
    const index = Buffer.from(JSON.stringify({ files }, undefined, 2));
    await this.use((store) => store.put(indexKey(name), index));
  }

  /**
   * Downloads a folder of finished work to a new path, complete or not at all. Returns false if the store does not have
   * it, or not whole.
   */
  async pullFolder(name: string, dir: string): Promise<boolean> {
    const files = await this.#readIndex(name);
    if (!files) return false;
    const beside = `${dir}.tmp-${randomUUID()}`;
    try {
      await mkdir(beside, { recursive: true });
      await atMost(AT_ONCE, Object.entries(files), ([file, digest]) => this.pull(digest, join(beside, file)));
      await rm(dir, { recursive: true, force: true });
      await rename(beside, dir);
      return true;
    } catch (error) {
      if (!(error instanceof StoreError)) throw error;
      this.#patience.log(`${name} in the store is not used: ${error.message}`);
      return false;
    } finally {
      await rm(beside, { recursive: true, force: true });
    }
  }

  async close(): Promise<void> {
    (await this.#opened)?.close();
  }

  async #readIndex(name: string): Promise<Digests | undefined> {
    const bytes = await this.use(async (store) => {
      const found = await store.get(indexKey(name));
      return found && readBody(found, INDEX_BYTES);
    });
    return bytes && parseIndex(bytes.toString());
  }
}

/** Returns the key of the index of a folder of finished work. */
export function indexKey(name: string): string {
  return `kept/${name}.json`;
}

/** Returns the digests in an index by file name; undefined for any other text. */
export function parseIndex(json: string): Digests | undefined {
  return indexSchema.safeParse(parseJson(json)).data?.files;
}

/** Transfers at the same time. */
export const AT_ONCE = 16;
const INDEX_BYTES = 16 << 20;
