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
  if (sizeBytes > maxBytes)
    throw new StoreError('an object', `has ${sizeBytes} bytes: expected at most ${maxBytes}`);
  const chunks: Buffer[] = [];
  for await (const chunk of body) chunks.push(chunk);
  return Buffer.concat(chunks);
}

/**
 * Downloads content by its digest to a new file, synced to disk. Content that differs from its digest is removed from
 * the disk and read once more; if it still differs, it is removed from the store, so that it can be put again. Throws
 * StoreError if it is missing or differs, TransientError, and the system's error if the file cannot be written.
 */
export async function downloadContent(store: ObjectStore, digest: FileDigest, path: string): Promise<void> {
  const key = contentKey(digest.sha256);
  let found: FileDigest | undefined;
  for (let reading = 0; reading < READINGS; reading++) {
    found = await downloadObject(store, key, path);
    if (!found) throw new StoreError(`${store.name}/${key}`, 'is missing');
    if (found.sha256 === digest.sha256) return;
  }
  await rm(path, { force: true });
  await store.delete([key]);
  throw new StoreError(
    `${store.name}/${key}`,
    `has ${found!.sizeBytes} bytes with sha256 ${found!.sha256}: expected ${digest.sizeBytes} bytes; it was removed`,
  );
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
