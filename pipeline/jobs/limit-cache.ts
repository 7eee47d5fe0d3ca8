import { existsSync } from 'node:fs';
import { readdir, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { keptPaths } from '../ingest/cache-folders.js';
import { absentIfMissing } from '../release/missing.js';
import { acquireBuildLock, BuildRunningError } from './build-lock.js';

/** An entry of the cache: a file, or a folder of finished work. */
interface CacheEntry {
  readonly path: string;
  readonly sizeBytes: number;
  readonly modifiedMs: number;
}

/** Returns the size of the cache of an output folder, in bytes. */
export async function cacheSize(outputDir: string): Promise<number> {
  return sumOf(await entriesOf(outputDir));
}

/**
 * Removes the oldest entries of a worker's cache until it has at most `limitBytes`, and returns how many. All of it is in
 * the store too. Call it while no job of this worker runs. A build of the same folder prunes its own cache: then nothing
 * is removed.
 */
export async function limitCache(outputDir: string, limitBytes: number): Promise<number> {
  let lock;
  try {
    // The file is made by the first build. Without it this folder has none, and a server may follow the store here.
    lock = existsSync(join(outputDir, 'build.lock')) ? acquireBuildLock(outputDir) : undefined;
  } catch (error) {
    if (error instanceof BuildRunningError) return 0;
    throw error;
  }
  try {
    return await removeOldest(await entriesOf(outputDir), limitBytes);
  } finally {
    lock?.release();
  }
}

async function removeOldest(entries: readonly CacheEntry[], limitBytes: number): Promise<number> {
  let excess = sumOf(entries) - limitBytes;
  let removed = 0;
  for (const { path, sizeBytes } of [...entries].sort((a, b) => a.modifiedMs - b.modifiedMs)) {
    if (excess <= 0) break;
    await rm(path, { recursive: true, force: true });
    excess -= sizeBytes;
    removed += 1;
  }
  return removed;
}

function sumOf(entries: readonly CacheEntry[]): number {
  return entries.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0);
}

async function entriesOf(outputDir: string): Promise<CacheEntry[]> {
  const found: CacheEntry[] = [];
  for (const path of await keptPaths(outputDir)) {
    const entry = await absentIfMissing(stat(path));
    if (entry) found.push({ path, sizeBytes: await sizeOf(path), modifiedMs: entry.mtimeMs });
  }
  return found;
}

async function sizeOf(path: string): Promise<number> {
  const entry = await absentIfMissing(stat(path));
  if (!entry?.isDirectory()) return entry?.size ?? 0;
  const names = (await absentIfMissing(readdir(path))) ?? [];
  let sum = 0;
  for (const name of names) sum += await sizeOf(join(path, name));
  return sum;
}
