import { randomUUID } from 'node:crypto';
import type { BigIntStats } from 'node:fs';
import { copyFile, link, mkdir, open, readdir, rename, rm, stat, writeFile } from 'node:fs/promises';
import { basename, dirname, join, relative, sep } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { tryLock } from 'fs-native-extensions';
import { fsyncPath } from '../release/durable.js';
import { absentIfMissing } from '../release/missing.js';
import { fileFault, isExisting } from './file-fault.js';
import { checkedKey } from './object-key.js';
import type {
  ListedObject,
  ObjectBody,
  ObjectContent,
  ObjectHead,
  ObjectStore,
  PutCondition,
} from './object-store.js';
import { PreconditionError } from './store-error.js';

/** A store in a folder, which may be shared between machines. Each object is a file; its path is its key. */
export class FolderStore implements ObjectStore {
  readonly name: string;
  readonly #root: string;

  constructor(root: string) {
    this.#root = root;
    this.name = `file:${root}`;
  }

  head(key: string): Promise<ObjectHead | undefined> {
    return this.#guard(key, async (path) => {
      const found = await absentIfMissing(stat(path, { bigint: true }));
      return found?.isFile() === true ? headOf(found) : undefined;
    });
  }

  get(key: string): Promise<ObjectBody | undefined>;
  get(key: string, ifNoneMatch: string | undefined): Promise<ObjectBody | 'unchanged' | undefined>;
  get(key: string, ifNoneMatch?: string): Promise<ObjectBody | 'unchanged' | undefined> {
    return this.#guard(key, async (path) => {
      const file = await absentIfMissing(open(path, 'r'));
      if (!file) return undefined;
      const head = headOf(await file.stat({ bigint: true }));
      if (head.etag === ifNoneMatch) {
        await file.close();
        return 'unchanged';
      }
      return { ...head, body: this.#chunks(key, file.createReadStream({ highWaterMark: CHUNK_BYTES })) };
    });
  }

  put(key: string, content: ObjectContent, condition?: PutCondition): Promise<ObjectHead> {
    return this.#guard(key, async (path) => {
      await mkdir(dirname(path), { recursive: true });
      const beside = join(dirname(path), `${UNFINISHED}${randomUUID()}`);
      try {
        if (Buffer.isBuffer(content)) await writeFile(beside, content);
        else await copyFile(content.path, beside);
        await fsyncPath(beside);
        await this.#moveIn({ beside, path, key }, condition);
        await fsyncPath(dirname(path));
      } finally {
        await rm(beside, { force: true });
      }
      return headOf(await stat(path, { bigint: true }));
    });
  }

  async *list(prefix: string): AsyncGenerator<ListedObject> {
    const folder = prefix.slice(0, prefix.lastIndexOf('/') + 1);
    const read = readdir(join(this.#root, folder), { recursive: true, withFileTypes: true });
    const entries = await this.#guard(undefined, async () => (await absentIfMissing(read)) ?? []);
    for (const entry of entries) {
      const path = join(entry.parentPath, entry.name);
      const key = relative(this.#root, path).replaceAll(sep, '/');
      if (!entry.isFile() || entry.name.startsWith('.') || !key.startsWith(prefix)) continue;
      const found = await this.#guard(key, () => absentIfMissing(stat(path, { bigint: true })));
      if (found) yield { key, ...headOf(found), modifiedMs: Number(found.mtimeMs) };
    }
  }

  async delete(keys: readonly string[]): Promise<void> {
    for (const key of keys) await this.#guard(key, (path) => rm(path, { force: true }));
  }

  removeUnfinished(beforeMs: number): Promise<void> {
    return this.#guard(undefined, async (root) => {
      const names = (await absentIfMissing(readdir(root, { recursive: true }))) ?? [];
      for (const path of names.filter((name) => basename(name).startsWith(UNFINISHED))) {
        const found = await absentIfMissing(stat(join(root, path)));
        if (found && found.mtimeMs < beforeMs) await rm(join(root, path), { force: true });
      }
    });
  }

  close(): void {
    // Nothing is open between calls.
  }

  async #moveIn(
    { beside, path, key }: { readonly beside: string; readonly path: string; readonly key: string },
    condition: PutCondition | undefined,
  ): Promise<void> {
    if (condition === undefined) return rename(beside, path);
    if ('ifNoneMatch' in condition) {
      // A link never replaces an existing file.
      return link(beside, path).catch((error: unknown) => {
        throw isExisting(error) ? new PreconditionError(this.#where(key)) : error;
      });
    }
    return this.#alone(async () => {
      const found = await absentIfMissing(stat(path, { bigint: true }));
      if (!found || headOf(found).etag !== condition.ifMatch) throw new PreconditionError(this.#where(key));
      await rename(beside, path);
    });
  }

  /** Runs a step while no other process compares and replaces an object. */
  async #alone(step: () => Promise<void>): Promise<void> {
    const lock = await open(join(this.#root, '.lock'), 'a');
    try {
      while (!tryLock(lock.fd)) await sleep(LOCK_POLL_MS);
      await step();
    } finally {
      await lock.close();
    }
  }

  async *#chunks(key: string, stream: AsyncIterable<unknown>): AsyncGenerator<Buffer> {
    try {
      for await (const chunk of stream) yield chunk as Buffer;
    } catch (error) {
      throw fileFault(this.#where(key), error);
    }
  }

  async #guard<T>(key: string | undefined, step: (path: string) => Promise<T>): Promise<T> {
    const path = key === undefined ? this.#root : join(this.#root, checkedKey(this.name, key));
    try {
      return await step(path);
    } catch (error) {
      throw fileFault(this.#where(key), error);
    }
  }

  #where(key: string | undefined): string {
    return key === undefined ? this.name : `${this.name}/${key}`;
  }
}

/** A new object is a new file: its inode, size and time identify the content. */
function headOf({ ino, size, mtimeNs }: BigIntStats): ObjectHead {
  return { sizeBytes: Number(size), etag: `"${ino.toString(36)}-${size}-${mtimeNs.toString(36)}"` };
}

/** Name prefix of objects that are being written. */
const UNFINISHED = '.tmp-';
const LOCK_POLL_MS = 10;
const CHUNK_BYTES = 1 << 20;
