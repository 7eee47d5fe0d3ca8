import { lstat, readdir, readFile, readlink, stat } from 'node:fs/promises';
import { basename, dirname, join, resolve } from 'node:path';
import type { z } from 'zod';
import { manifestSchema, type Manifest } from './contract.js';
import { absentIfMissing, isMissing } from './missing.js';

/** A release, or what lies in its place, that cannot be used; `path` is the file or folder that shows it. */
export class ReleaseError extends Error {
  override readonly name = 'ReleaseError';

  constructor(
    readonly path: string,
    /** What is wrong, in words, without the path. */
    readonly found: string,
    options?: ErrorOptions,
  ) {
    super(`${path}: ${found}`, options);
  }
}

/** A release whose manifest could be read; its files are not checked (`verifyRelease` does that). */
export interface Release {
  readonly id: string;
  /** Its folder, with no symlink in it below the output folder. */
  readonly dir: string;
  readonly manifest: Manifest;
}

/** A folder among the releases whose manifest cannot be used. */
export interface DamagedRelease {
  readonly id: string;
  readonly dir: string;
  readonly damaged: string;
}

export type ListedRelease = Release | DamagedRelease;

/** Start of the names of everything unfinished: work folders, links about to be renamed, releases being removed. */
export const UNFINISHED = '.tmp-';

/** Where the releases lie: `output/releases`. */
export function releasesDir(outputDir: string): string {
  return join(outputDir, 'releases');
}

/** The folder of one release: `output/releases/<id>`. */
export function releaseDir(outputDir: string, id: string): string {
  return join(releasesDir(outputDir), id);
}

/** The symlink to the release that is served: `output/current`, relative, so that the folder can be moved. */
export function currentLink(outputDir: string): string {
  return join(outputDir, 'current');
}

/**
 * A release's name, `YYYYMMDDTHHMMSSZ-<12 hex>`: the build epoch (seconds since 1970) in UTC and the first digits of
 * the build key.
 */
export function releaseId(buildEpoch: number, buildKey: string): string {
  const time = new Date(buildEpoch * 1000).toISOString().slice(0, 19).replace(/[-:]/g, '');
  return `${time}Z-${buildKey.slice(0, 12)}`;
}

/**
 * Every release there is, the newest first: by the time in the id, and where that is equal (SOURCE_DATE_EPOCH) the
 * one published later. Unfinished folders are no releases; one whose manifest cannot be used is listed as damaged.
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

/** The manifest of a release folder. Throws ReleaseError naming the file and the place in it. */
export async function readManifest(dir: string): Promise<Manifest> {
  const path = join(dir, MANIFEST);
  const parsed = manifestSchema.safeParse(parseJson(path, await readText(path)));
  if (!parsed.success) throw new ReleaseError(path, describeIssue(parsed.error), { cause: parsed.error });
  const { id } = parsed.data;
  if (id !== basename(dir) && !basename(dir).startsWith(UNFINISHED)) {
    throw new ReleaseError(path, `id: is ${id}, the folder is ${basename(dir)}`);
  }
  return parsed.data;
}

/** The manifest's text: the schema's key order, records sorted by key. Throws ReleaseError when it is not valid. */
export function encodeManifest(manifest: Manifest): string {
  const parsed = manifestSchema.safeParse(manifest);
  if (!parsed.success) throw new ReleaseError(MANIFEST, describeIssue(parsed.error), { cause: parsed.error });
  return `${JSON.stringify(parsed.data, undefined, 2)}\n`;
}

/** The id `current` points to, whether or not that release is there and whole; absent when there is no link. */
export async function currentId(outputDir: string): Promise<string | undefined> {
  const link = currentLink(outputDir);
  const entry = await absentIfMissing(lstat(link));
  if (!entry) return undefined;
  if (!entry.isSymbolicLink()) throw new ReleaseError(link, 'is not a symlink');
  const target = resolve(outputDir, await readlink(link));
  if (dirname(target) === resolve(releasesDir(outputDir))) return basename(target);
  throw new ReleaseError(link, `points to ${target}, which is not among the releases`);
}

/** The release `current` points to; absent before the first one. Throws ReleaseError when it cannot be used. */
export async function currentRelease(outputDir: string): Promise<Release | undefined> {
  const id = await currentId(outputDir);
  if (id === undefined) return undefined;
  const dir = releaseDir(outputDir, id);
  return { id, dir, manifest: await readManifest(dir) };
}

/** File name of the manifest in a release folder. */
export const MANIFEST = 'manifest.json';

/**
 * File name of the report for people, which is made from manifests and so in none. Older releases have none, and no
 * release is damaged by another one.
 */
export const REPORT = 'report.html';

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
    if (isMissing(cause)) throw new ReleaseError(path, 'is not there', { cause });
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

/** The first issue as `files[0].sha256: what is wrong`. */
function describeIssue(error: z.ZodError): string {
  const issue = error.issues[0]!;
  const path = issue.path.map((key) => (typeof key === 'number' ? `[${key}]` : `.${String(key)}`)).join('');
  return `${path.replace(/^\./, '') || 'the manifest'}: ${issue.message}`;
}

/** The UTC time an id starts with; a folder that is named otherwise counts as the oldest. */
function timeOf({ id }: ListedRelease): string {
  return /^\d{8}T\d{6}Z/.exec(id)?.[0] ?? '';
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

async function modifiedMs(path: string): Promise<number> {
  return (await absentIfMissing(stat(path)))?.mtimeMs ?? 0;
}
