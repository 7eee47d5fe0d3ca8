import { open, readdir } from 'node:fs/promises';
import { join } from 'node:path';

/**
 * Waits until a file's bytes, or a folder's entries, are on disk. A rename is durable only after the fsync of its
 * folder.
 */
export async function fsyncPath(path: string): Promise<void> {
  const handle = await open(path, 'r');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}

/** Syncs a folder and its contents to disk, contents first. */
export async function fsyncTree(dir: string): Promise<void> {
  for (const entry of await readdir(dir, { withFileTypes: true })) {
    const path = join(dir, entry.name);
    await (entry.isDirectory() ? fsyncTree(path) : fsyncPath(path));
  }
  await fsyncPath(dir);
}
