import { closeSync, ftruncateSync, openSync, readFileSync, writeSync } from 'node:fs';
import { tryLock } from 'fs-native-extensions';
import { z } from 'zod';
import { buildLockPath } from '../release/release-store.js';
import { makeFolder } from '../release/system-error.js';
import { parseJson } from '../text/parse-json.js';

/** The lock of a build on an output directory. */
export interface BuildLock {
  /** Releases the lock. Calling it twice does nothing. */
  release(): void;
}

/** Another process is building into the same output directory. */
export class BuildRunningError extends Error {
  override readonly name = 'BuildRunningError';
}

const holderSchema = z.object({ pid: z.int(), started: z.iso.datetime() });

/**
 * Locks `build.lock` of an output directory. The kernel lock on the open file (fcntl OFD lock, flock) ends with the
 * process. The file's text is only for the message. Throws BuildRunningError.
 */
export function acquireBuildLock(outputDir: string): BuildLock {
  makeFolder(outputDir);
  const path = buildLockPath(outputDir);
  const fd = openSync(path, 'a+');
  if (!tryLock(fd)) {
    closeSync(fd);
    throw new BuildRunningError(`another build is running${describeHolder(readFileSync(path, 'utf8'))}`);
  }
  ftruncateSync(fd);
  writeSync(fd, JSON.stringify({ pid: process.pid, started: new Date().toISOString() }));
  return { release: releaser(fd) };
}

/** Keeps the file: if it were removed, a build that has just opened it would lock a deleted file. */
function releaser(fd: number): () => void {
  let held = true;
  return () => {
    if (!held) return;
    held = false;
    ftruncateSync(fd);
    closeSync(fd);
  };
}

/** Describes the holder. Its text may be missing for a moment, because it is written after locking. */
function describeHolder(text: string): string {
  const holder = holderSchema.safeParse(parseJson(text));
  if (!holder.success) return '';
  const { pid, started } = holder.data;
  const [day = '', time = ''] = started.split('T');
  const today = new Date().toISOString().startsWith(day);
  return `: pid ${pid} since ${today ? '' : `${day} `}${time.slice(0, 8)} UTC`;
}
