import { createHash } from 'node:crypto';
import { cpSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, utimesSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Reader, type CityResponse } from 'maxmind';
import type { Test } from 'tap';
import { redisDirOf } from '../../jobs/private-redis.js';
import { probe } from '../../jobs/redis-connection.js';
import { findSocketPath } from '../../jobs/socket-path.js';
import { PROJECT, type Ended, type Settings } from '../../testing/command-line.js';
import type { Manifest, ManifestInputFile } from '../../release/contract.js';
import { runInProcess } from './in-process.js';
import { currentRelease, currentLink, type Release } from '../../release/release-store.js';

export { isAlive, untilGone } from '../../testing/child-process.js';
export {
  ipatlas as ipatlasProcess,
  PROJECT,
  start,
  type Ended,
  type Run,
  type Settings,
} from '../../testing/command-line.js';

/** The settings of a build of all feeds, with as many jobs at once as there are processors. */
export const ALL_FEEDS = { BUILD_FEEDS: '', BUILD_JOBS: '' } as const;
/** The setting of a build with parallel jobs. */
export const SIDE_BY_SIDE = { BUILD_JOBS: '2' } as const;

/**
 * Runs `ipatlas <args>` in this process, which saves the time to start node and to load the pipeline. Use
 * `ipatlasProcess` for tests that need a separate process. Both have the same parameters.
 */
export function ipatlas(_t: Test, settings: Settings, ...args: readonly string[]): Promise<Ended> {
  return runInProcess(settings, args);
}

/** Runs a build. Throws an error with its output if the exit code is not 0. */
export async function build(t: Test, settings: Settings, run = ipatlas): Promise<Ended> {
  const ended = await run(t, settings, 'build');
  if (ended.code !== 0) throw new Error(`exit code ${ended.code}:\n${ended.stderr}`);
  return ended;
}

/**
 * Creates a folder with a path short enough for a Unix socket; tap's own folders are too deep. Removes it when the test
 * ends, and stops the Redis that a killed build has left in it.
 */
export function outputFolder(t: Test): string {
  const dir = mkdtempSync(join(tmpdir(), 'ipatlas-e2e-'));
  t.teardown(async () => {
    const pid = await redisPid(dir);
    if (pid !== undefined) process.kill(pid, 'SIGKILL');
    rmSync(dir, { recursive: true, force: true, maxRetries: 5 });
  });
  return dir;
}

/** Copies an output folder, for a test that continues after the same build. */
export function copyOutput(t: Test, from: string): string {
  const dir = outputFolder(t);
  cpSync(from, dir, { recursive: true, preserveTimestamps: true, verbatimSymlinks: true });
  return dir;
}

/** Modification date of the copied feeds, which applies to rows of lists without a date. */
const FEEDS_MODIFIED = new Date('2026-11-18T00:00:00Z');

/** Copies the bundled feeds to a folder that the test may change. */
export function copyFeeds(t: Test): string {
  const dir = mkdtempSync(join(tmpdir(), 'ipatlas-feeds-'));
  t.teardown(() => {
    rmSync(dir, { recursive: true, force: true });
  });
  cpSync(join(PROJECT, 'fixtures/feeds'), dir, { recursive: true });
  for (const name of readdirSync(dir, { recursive: true, encoding: 'utf8' })) {
    utimesSync(join(dir, name), FEEDS_MODIFIED, FEEDS_MODIFIED);
  }
  return dir;
}

/** Returns the current release. Throws if there is none. */
export async function served(outputDir: string): Promise<Release> {
  const release = await currentRelease(outputDir);
  if (!release) throw new Error(`no current release in ${outputDir}`);
  return release;
}

/** Returns the path of geo.mmdb in the current release. */
export function geoPath(outputDir: string): string {
  return join(currentLink(outputDir), 'geo.mmdb');
}

/** Returns a lookup in geo.mmdb of the current release, or in `download/geo.mmdb`, with the library that clients use. */
export function openGeo(
  outputDir: string,
  name: 'geo.mmdb' | 'download/geo.mmdb' = 'geo.mmdb',
): (ip: string) => CityResponse | undefined {
  const reader = new Reader<CityResponse>(readFileSync(join(currentLink(outputDir), name)));
  return (ip) => reader.get(ip) ?? undefined;
}

/** Returns the sha256 of a file in hex, independently of the code under test. */
export function sha256(path: string): string {
  return createHash('sha256').update(readFileSync(path)).digest('hex');
}

/** Returns a file of a feed in the manifest's inputs by its id. Throws if it is missing. */
export function inputFile({ inputs }: Manifest, feed: string, id: string): ManifestInputFile {
  const file = inputs.find((input) => input.feed === feed)?.files.find((file) => file.id === id);
  if (!file) throw new Error(`${feed} has not read ${id}`);
  return file;
}

/** Returns the paths of all unfinished files and folders in an output folder. */
export function unfinished(outputDir: string): string[] {
  return readdirSync(outputDir, { recursive: true, encoding: 'utf8' }).filter((path) =>
    path.includes('.tmp-'),
  );
}

/** Returns the process id of the private Redis of an output folder; undefined if none responds. */
export async function redisPid(outputDir: string): Promise<number | undefined> {
  const socketPath = findSocketPath(redisDirOf(outputDir));
  if (socketPath === undefined || !existsSync(socketPath)) return undefined;
  return probe({ socketPath }).catch(() => undefined);
}
