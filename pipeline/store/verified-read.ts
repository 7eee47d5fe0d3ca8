import { createHash } from 'node:crypto';
import { open, rm } from 'node:fs/promises';
import type { FileDigest } from '../release/digest.js';
import type { ObjectBody, ObjectStore } from './object-store.js';
import { StoreError } from './store-error.js';

/** Returns the key of immutable content. */
export function contentKey(sha256: string): string {
  return `objects/${sha256}`;
}

/** Reads a whole small object into memory. Throws StoreError if it has more than `maxBytes`. */
export async function readBody({ body, sizeBytes }: ObjectBody, maxBytes: number): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of body) {
    // Inside of the loop, because leaving it closes the body.
    if (sizeBytes > maxBytes)
      throw new StoreError('an object', `has ${sizeBytes} bytes: expected at most ${maxBytes}`);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

/** Content in a store that differs from its digest. */
export class WrongContentError extends StoreError {
  override readonly name = 'WrongContentError';
}

/**
 * Downloads content by its digest to a new file, synced to disk. Content that differs from its digest is removed from
 * the disk and read once more. Throws StoreError if it is missing, WrongContentError if it still differs,
 * TransientError, and the system's error if the file cannot be written.
 */
export async function downloadContent(store: ObjectStore, digest: FileDigest, path: string): Promise<void> {
  const key = contentKey(digest.sha256);
  const where = `${store.name}/${key}`;
  let found: FileDigest | undefined;
  for (let reading = 0; reading < READINGS; reading++) {
    found = await downloadObject(store, key, path);
    if (!found) throw new StoreError(where, 'is missing');
    if (found.sha256 === digest.sha256) return;
  }
  await rm(path, { force: true });
  const { sizeBytes, sha256 } = found!;
  throw new WrongContentError(
    where,
    `has ${sizeBytes} bytes with sha256 ${sha256}: expected ${digest.sizeBytes} bytes`,
  );
}

/** Does the same, and removes content that differs from the store, so that it can be put again. */
export async function downloadOrRemove(store: ObjectStore, digest: FileDigest, path: string): Promise<void> {
  try {
    await downloadContent(store, digest, path);
  } catch (error) {
    if (!(error instanceof WrongContentError)) throw error;
    await store.delete([contentKey(digest.sha256)]);
    throw new StoreError(error.where, `${error.found}; it was removed`, { cause: error });
  }
}

/** Downloads an object to a new file and returns its digest; undefined if there is none. Leaves no part of a file. */
export async function downloadObject(
  store: ObjectStore,
  key: string,
  path: string,
): Promise<FileDigest | undefined> {
  const object = await store.get(key);
  if (!object) return undefined;
  const file = await open(path, 'w');
  let isWhole = false;
  try {
    const hash = createHash('sha256');
    let sizeBytes = 0;
    for await (const chunk of object.body) {
      hash.update(chunk);
      sizeBytes += chunk.length;
      await file.writeFile(chunk);
    }
    await file.sync();
    isWhole = true;
    return { sha256: hash.digest('hex'), sizeBytes };
  } finally {
    await file.close();
    if (!isWhole) await rm(path, { force: true });
  }
}

const READINGS = 2;
