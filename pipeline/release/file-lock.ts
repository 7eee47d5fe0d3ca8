import { close, open } from 'node:fs';
import { promisify } from 'node:util';
import { tryLock, waitForLock } from 'fs-native-extensions';

/**
 * Runs `work` while no other process holds the lock of the file at `path`, which is created and stays. `onWait` is
 * called when another process holds it. The kernel lock ends with the process.
 */
export async function withFileLock<T>(path: string, work: () => Promise<T>, onWait?: () => void): Promise<T> {
  const fd = await promisify(open)(path, 'a+');
  try {
    if (!tryLock(fd)) {
      onWait?.();
      await waitForLock(fd);
    }
    return await work();
  } finally {
    await promisify(close)(fd);
  }
}
