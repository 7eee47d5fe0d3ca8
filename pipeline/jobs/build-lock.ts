import { closeSync, ftruncateSync, mkdirSync, openSync, readFileSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { tryLock } from 'fs-native-extensions';
import { z } from 'zod';

/** Held while one build writes below an output directory. */
export interface BuildLock {
  /** Lets the next build in; calling it twice does nothing. */
  release(): void;
}

/** Another process builds into the same output directory. */
export class BuildRunningError extends Error {
  override readonly name = 'BuildRunningError';
}

const holderSchema = z.object({ pid: z.int(), started: z.iso.datetime() });

/**
 * Takes `build.lock` of an output directory. It is a lock of the kernel on an open file (fcntl OFD lock, flock), so it
 * goes with the process however that ends; the file's text is for the message only. Throws BuildRunningError.
 */
export function acquireBuildLock(outputDir: string): BuildLock {
  mkdirSync(outputDir, { recursive: true });
  const path = join(outputDir, 'build.lock');
  const fd = openSync(path, 'a+');
  if (!tryLock(fd)) {
    closeSync(fd);
    throw new BuildRunningError(`another build is running${describeHolder(readFileSync(path, 'utf8'))}`);
  }
  ftruncateSync(fd);
  writeSync(fd, JSON.stringify({ pid: process.pid, started: new Date().toISOString() }));
  return { release: releaser(fd) };
}

/** The file stays: were it removed, a build that has just opened it would hold a lock on nothing. */
function releaser(fd: number): () => void {
  let held = true;
  return () => {
    if (!held) return;
    held = false;
    ftruncateSync(fd);
    closeSync(fd);
  };
}

/** The holder writes its text after it has the lock, so it can be missing for a moment. */
function describeHolder(text: string): string {
  const holder = holderSchema.safeParse(parseJson(text));
  if (!holder.success) return '';
  const { pid, started } = holder.data;
  const [day = '', time = ''] = started.split('T');
  const today = new Date().toISOString().startsWith(day);
  return `: pid ${pid} since ${today ? '' : `${day} `}${time.slice(0, 8)} UTC`;
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}
