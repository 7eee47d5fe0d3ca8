import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { withFileLock } from './file-lock.js';

/**
 * Runs `work` while no other process changes `current` or the pin: a publication and a rollback exclude each other. The
 * kernel lock on `current.lock` ends with the process.
 */
export async function withCurrentLock<T>(outputDir: string, work: () => Promise<T>): Promise<T> {
  await mkdir(outputDir, { recursive: true });
  return withFileLock(join(outputDir, 'current.lock'), work);
}
