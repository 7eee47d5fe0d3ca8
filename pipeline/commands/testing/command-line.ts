import { spawn, type ChildProcess } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { cpSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, utimesSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Reader, type CityResponse } from 'maxmind';
import type { Test } from 'tap';
import { redisDirOf } from '../../jobs/private-redis.js';
import { probe } from '../../jobs/redis-connection.js';
import { findSocketPath } from '../../jobs/socket-path.js';
import { plainNode } from '../../jobs/testing/child-process.js';
import type { Manifest, ManifestInputFile } from '../../release/contract.js';
import { currentRelease, currentLink, type Release } from '../../release/release-store.js';

/** How a run of the command line ended. */
export interface Ended {
  readonly code: number | NodeJS.Signals;
  readonly stdout: string;
  readonly stderr: string;
}

/** A run of the command line as a process of its own. */
export interface Run {
  readonly child: ChildProcess;
  /** Resolves as soon as stderr holds the text; rejects when the run ends without it. */
  readonly saw: (text: string) => Promise<void>;
  readonly ended: Promise<Ended>;
}

/** FEEDS, OUTPUT, REDIS_URL, SOURCE_DATE_EPOCH, PATH: whatever else the test runs under stays. */
export type Settings = Readonly<Record<string, string>>;

const MAIN = fileURLToPath(new URL('../../main.js', import.meta.url));

/** The project's folder; this file is compiled to `dist/pipeline/commands/testing`. */
export const PROJECT = fileURLToPath(new URL('../../../../', import.meta.url));

const UNSET = [
  ...['FEEDS', 'DATASET_FEEDS', 'REDIS_URL', 'SOURCE_DATE_EPOCH', 'RELAYS_ARE_PROXIES', 'IPATLAS_MIRROR'],
];
/**
 * What becomes of a night hangs neither on which feeds it reads, and eight take their time, nor on how many jobs run at
 * once, and each thread loads the pipeline anew.
 */
const SMALL_NIGHT = { BUILD_FEEDS: 'own,geolite2', BUILD_JOBS: '1' };
/** The settings of a build of all feeds, with as many jobs at once as there are processors. */
export const ALL_FEEDS = { BUILD_FEEDS: '', BUILD_JOBS: '' } as const;
/** The setting of a build whose jobs get into each other's way where they can. */
export const SIDE_BY_SIDE = { BUILD_JOBS: '2' } as const;

/** Starts `ipatlas <args>`, from two feeds and a job at a time unless told otherwise; killed at the latest when the test ends. */
export function start(t: Test, settings: Settings, ...args: readonly string[]): Run {
  const bare = Object.fromEntries(UNSET.map((name) => [name, '']));
  const child = spawn(...plainNode(MAIN, ...args), {
    env: { ...process.env, ...bare, ...SMALL_NIGHT, ...settings },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  t.teardown(() => child.kill('SIGKILL'));
  let stdout = '';
  let stderr = '';
  child.stdout.on('data', (chunk: Buffer) => (stdout += chunk.toString()));
  child.stderr.on('data', (chunk: Buffer) => {
    stderr += chunk.toString();
    child.emit('told');
  });
  const ended = once(child, 'close').then(([code, signal]) => {
    return { code: (code ?? signal) as number | NodeJS.Signals, stdout, stderr };
  });
  const saw = async (text: string): Promise<void> => {
    while (!stderr.includes(text)) {
      const next = await Promise.race([ended, once(child, 'told')]);
      if (!Array.isArray(next) && !stderr.includes(text)) throw new Error(`no "${text}" in:\n${stderr}`);
    }
  };
  return { child, saw, ended };
}

/** Runs `ipatlas <args>` to its end. */
export function ipatlas(t: Test, settings: Settings, ...args: readonly string[]): Promise<Ended> {
  return start(t, settings, ...args).ended;
}

/** A build that publishes, or finds nothing new; throws with what it said when it ends otherwise. */
export async function build(t: Test, settings: Settings): Promise<Ended> {
  const ended = await ipatlas(t, settings, 'build');
  if (ended.code !== 0) throw new Error(`exit code ${ended.code}:\n${ended.stderr}`);
  return ended;
}

/**
 * A folder whose path is short enough for a Unix socket, which tap's own are not. When the test ends it goes, and with
 * it the Redis that a killed build has left there.
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

/** A copy of an output folder, for a test that goes on from the same night. */
export function copyOutput(t: Test, from: string): string {
  const dir = outputFolder(t);
  cpSync(from, dir, { recursive: true, preserveTimestamps: true, verbatimSymlinks: true });
  return dir;
}

/** When copies of the bundled feeds were modified: rows of lists that have no date of their own have this one. */
const FEEDS_MODIFIED = new Date('2026-11-18T00:00:00Z');

/** A copy of the bundled feeds, to be damaged. */
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

/** The release that serves. Throws when there is none. */
export async function served(outputDir: string): Promise<Release> {
  const release = await currentRelease(outputDir);
  if (!release) throw new Error(`no release serves in ${outputDir}`);
  return release;
}

/** Path of the dataset that serves. */
export function geoPath(outputDir: string): string {
  return join(currentLink(outputDir), 'geo.mmdb');
}

/** Looks addresses up in the dataset that serves, through the reader that clients use. */
export function openGeo(outputDir: string): (ip: string) => CityResponse | undefined {
  const reader = new Reader<CityResponse>(readFileSync(geoPath(outputDir)));
  return (ip) => reader.get(ip) ?? undefined;
}

/** sha256 of a file in hex, by node alone. */
export function sha256(path: string): string {
  return createHash('sha256').update(readFileSync(path)).digest('hex');
}

/** A file of the manifest's inputs by its id, as the feed read it. Throws when it is not there. */
export function inputFile({ inputs }: Manifest, feed: string, id: string): ManifestInputFile {
  const file = inputs.find((input) => input.feed === feed)?.files.find((file) => file.id === id);
  if (!file) throw new Error(`${feed} has not read ${id}`);
  return file;
}

/** Paths of everything unfinished in an output folder. */
export function unfinished(outputDir: string): string[] {
  return readdirSync(outputDir, { recursive: true, encoding: 'utf8' }).filter((path) =>
    path.includes('.tmp-'),
  );
}

/** Process id of the private Redis of an output folder; undefined where none answers. */
export async function redisPid(outputDir: string): Promise<number | undefined> {
  const socketPath = findSocketPath(redisDirOf(outputDir));
  if (socketPath === undefined || !existsSync(socketPath)) return undefined;
  return probe({ socketPath }).catch(() => undefined);
}

/** Waits until a process is gone. */
export async function untilGone(pid: number): Promise<void> {
  while (isAlive(pid)) await new Promise((resolve) => setTimeout(resolve, 20));
}

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ESRCH') return false;
    throw error;
  }
}
