import { close, open } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { waitForLock } from 'fs-native-extensions';

/**
 * Runs `work` while no other process changes `current` or the pin: a publication and a rollback exclude each other. The
 * kernel lock on `current.lock` ends with the process.
 */
export async function withCurrentLock<T>(outputDir: string, work: () => Promise<T>): Promise<T> {
  await mkdir(outputDir, { recursive: true });
  const fd = await promisify(open)(join(outputDir, 'current.lock'), 'a+');
  try {
    await waitForLock(fd);
    return await work();
  } finally {
    await promisify(close)(fd);
  }
}
