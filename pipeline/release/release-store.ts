import { lstat, readdir, readFile, readlink, stat } from 'node:fs/promises';
import { basename, dirname, join, resolve } from 'node:path';
import type { z } from 'zod';
import { manifestSchema, type Manifest } from './contract.js';
import { absentIfMissing, isMissing } from './missing.js';

/** A release that cannot be used. `path` is the file or folder with the error. */
export class ReleaseError extends Error {
  override readonly name = 'ReleaseError';

  constructor(
    readonly path: string,
    /** The error as text, without the path. */
    readonly found: string,
    options?: ErrorOptions,
  ) {
    super(`${path}: ${found}`, options);
  }
}

/** A release with a valid manifest. Its files are not checked; `verifyRelease` does that. */
export interface Release {
  readonly id: string;
  /** Its folder. No part below the output folder is a symlink. */
  readonly dir: string;
  readonly manifest: Manifest;
}

/** A folder among the releases without a valid manifest. */
export interface DamagedRelease {
  readonly id: string;
  readonly dir: string;
  readonly damaged: string;
}

export type ListedRelease = Release | DamagedRelease;

/** Name prefix of everything unfinished: work folders, new links, releases being removed. */
export const UNFINISHED = '.tmp-';

/** Returns the folder of all releases: `output/releases`. */
export function releasesDir(outputDir: string): string {
  return join(outputDir, 'releases');
}

/** Returns the folder of one release: `output/releases/<id>`. */
export function releaseDir(outputDir: string, id: string): string {
  return join(releasesDir(outputDir), id);
}

/**
 * Returns the path of the symlink to the current release: `output/current`. Its target is relative, so the folder can
 * be moved.
 */
export function currentLink(outputDir: string): string {
  return join(outputDir, 'current');
}

/** Returns the path of the lock of builds. The file exists in every output folder in which a build has run. */
export function buildLockPath(outputDir: string): string {
  return join(outputDir, 'build.lock');
}

/**
 * Returns the id of a release, `YYYYMMDDTHHMMSSZ-<12 hex>`: the build epoch (seconds since 1970) in UTC and the first
 * digits of the build key.
 */
export function releaseId(buildEpoch: number, buildKey: string): string {
  const time = new Date(buildEpoch * 1000).toISOString().slice(0, 19).replace(/[-:]/g, '');
  return `${time}Z-${buildKey.slice(0, 12)}`;
}

/**
 * Lists all releases, the newest first: by the time in the id, then (with SOURCE_DATE_EPOCH) by the time of
 * publication. Unfinished folders are left out. A folder without a valid manifest is listed as damaged.
 */
export async function listReleases(outputDir: string): Promise<ListedRelease[]> {
  const found: { release: ListedRelease; publishedMs: number }[] = [];
  for (const name of await folderNames(releasesDir(outputDir))) {
    const dir = releaseDir(outputDir, name);
    found.push({ release: await readListed(dir), publishedMs: await modifiedMs(join(dir, MANIFEST)) });
  }
  found.sort(
    (a, b) =>
      -compare(timeOf(a.release), timeOf(b.release)) ||
      b.publishedMs - a.publishedMs ||
      compare(b.release.id, a.release.id),
  );
  return found.map(({ release }) => release);
}

/**
 * Returns the manifests of the other releases that remain when `keep` releases are kept: the newest first, without
 * damaged ones.
 */
export async function keptManifests(outputDir: string, id: string, keep = Infinity): Promise<Manifest[]> {
  const releases = await listReleases(outputDir);
  const others = releases.flatMap((one) => ('manifest' in one && one.id !== id ? [one.manifest] : []));
  return others.slice(0, keep - 1);
}

/** Reads the manifest of a release folder. Throws ReleaseError with the file and the place in it. */
export async function readManifest(dir: string): Promise<Manifest> {
  const path = join(dir, MANIFEST);
  const manifest = await readManifestFile(path);
  const { id } = manifest;
  if (id !== basename(dir) && !basename(dir).startsWith(UNFINISHED)) {
    throw new ReleaseError(path, `id ${id} differs from the folder's name ${basename(dir)}`);
  }
  return manifest;
}

/** Reads a manifest from any file. Throws ReleaseError with the file and the place in it. */
export async function readManifestFile(path: string): Promise<Manifest> {
  const parsed = manifestSchema.safeParse(parseJson(path, await readText(path)));
  if (!parsed.success) throw new ReleaseError(path, describeIssue(parsed.error), { cause: parsed.error });
  return parsed.data;
}

/** Encodes a manifest: keys in the schema's order, records sorted by key. Throws ReleaseError when it is invalid. */
export function encodeManifest(manifest: Manifest): string {
  const parsed = manifestSchema.safeParse(manifest);
  if (!parsed.success) throw new ReleaseError(MANIFEST, describeIssue(parsed.error), { cause: parsed.error });
  return `${JSON.stringify(parsed.data, undefined, 2)}\n`;
}

/** Returns the id that `current` points to, even if that release is missing or damaged; absent without a link. */
export async function currentId(outputDir: string): Promise<string | undefined> {
  const link = currentLink(outputDir);
  const entry = await absentIfMissing(lstat(link));
  if (!entry) return undefined;
  if (!entry.isSymbolicLink()) throw new ReleaseError(link, 'is not a symlink');
  const target = resolve(outputDir, await readlink(link));
  if (dirname(target) === resolve(releasesDir(outputDir))) return basename(target);
  throw new ReleaseError(link, `points to ${target}, which is not among the releases`);
}

/**
 * Returns the release that `current` points to; absent before the first one. Throws ReleaseError when it is unusable.
 */
export async function currentRelease(outputDir: string): Promise<Release | undefined> {
  const id = await currentId(outputDir);
  if (id === undefined) return undefined;
  const dir = releaseDir(outputDir, id);
  return { id, dir, manifest: await readManifest(dir) };
}

/** File name of the manifest in a release folder. */
export const MANIFEST = 'manifest.json';

/**
 * File name of the report. It is made from manifests, so no manifest lists it, and a missing or changed report does not
 * damage a release.
 */
export const REPORT = 'report.html';

/** Reads the report of a release; absent if the release has none. */
export async function readReport(dir: string): Promise<string | undefined> {
  return await absentIfMissing(readFile(join(dir, REPORT), 'utf8'));
}

async function folderNames(dir: string): Promise<string[]> {
  const entries = (await absentIfMissing(readdir(dir, { withFileTypes: true }))) ?? [];
  return entries
    .filter((entry) => entry.isDirectory() && !entry.name.startsWith(UNFINISHED))
    .map(({ name }) => name);
}

async function readListed(dir: string): Promise<ListedRelease> {
  const id = basename(dir);
  try {
    return { id, dir, manifest: await readManifest(dir) };
  } catch (error) {
    if (error instanceof ReleaseError) return { id, dir, damaged: error.message };
    throw error;
  }
}

async function readText(path: string): Promise<string> {
  try {
    return await readFile(path, 'utf8');
  } catch (cause) {
    if (isMissing(cause)) throw new ReleaseError(path, 'does not exist', { cause });
    throw cause;
  }
}

function parseJson(path: string, text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch (cause) {
    throw new ReleaseError(path, `is not JSON: ${cause instanceof Error ? cause.message : String(cause)}`, {
      cause,
    });
  }
}

/** Describes the first issue: `files[0].sha256: Invalid input`. */
function describeIssue(error: z.ZodError): string {
  const issue = error.issues[0]!;
  const path = issue.path.map((key) => (typeof key === 'number' ? `[${key}]` : `.${String(key)}`)).join('');
  return `${path.replace(/^\./, '') || 'the manifest'}: ${issue.message}`;
}

/** Returns the UTC time at the start of an id; `''`, the oldest, for other names. */
function timeOf({ id }: ListedRelease): string {
  return /^\d{8}T\d{6}Z/.exec(id)?.[0] ?? '';
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

async function modifiedMs(path: string): Promise<number> {
  return (await absentIfMissing(stat(path)))?.mtimeMs ?? 0;
}
