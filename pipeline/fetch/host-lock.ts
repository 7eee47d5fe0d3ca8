import { mkdir, open } from 'node:fs/promises';
import { dirname } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { tryLock } from 'fs-native-extensions';

const POLL_MS = 100;

/**
 * Runs `work` while no other thread or process runs any under the same lock file: one download per host, and nothing
 * downloaded twice. The lock is the kernel's and goes with its holder. (It is asked for again and again: a blocking
 * wait would take one of the few threads that file access needs.)
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
