import { mkdir, open } from 'node:fs/promises';
import { dirname } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { tryLock } from 'fs-native-extensions';

const POLL_MS = 100;

/**
 * Runs `work` while holding a lock file, so only one thread or process downloads from a host at a time. The kernel
 * releases the lock when its holder ends. (Polls, because a blocking wait would occupy a thread of the file system
 * pool.)
 */
export async function withHostLock<T>(path: string, work: () => Promise<T>): Promise<T> {
  await mkdir(dirname(path), { recursive: true });
  const file = await open(path, 'a+');
  try {
    while (!tryLock(file.fd)) await sleep(POLL_MS);
    return await work();
  } finally {
    await file.close();
  }
}
