import { join } from 'node:path';
import type { FeedFile } from '../feeds/feed.js';
import { matchesName } from '../feeds/name-pattern.js';
import { RIB_FOLDER, ribDownloads } from '../feeds/routing-downloads.js';
import { downloadAll, type DownloadWatcher } from '../fetch/download-all.js';
import type { DownloadResult } from '../fetch/download.js';
import { planDownloads, type PlannedDownload } from '../fetch/download-plan.js';
import { FETCH_LIMITS } from '../fetch/fetch-limits.js';
import { GEOFEED_LIST, readGeofeedList } from '../fetch/geofeed-list.js';
import { Mirror } from '../fetch/mirror.js';
import { removeUnlisted, type ListedDownloads } from '../fetch/remove-unlisted.js';
import type { ReadVariable } from '../fetch/secrets.js';
import type { LiveSettings } from './settings.js';
import type { NotFetched, SnapshotFile } from './snapshot.js';
import { comesWithProject, filesOfSource } from './sources.js';

/** The source whose downloads are those of the configured collectors. */
const RIB_SOURCE = 'rib';

/** The folder of downloads below an output folder, laid out as an input folder is. */
export function downloadsDir(outputDir: string): string {
  return join(outputDir, 'downloads');
}

/** A download that did not come, with what it was to bring. */
export interface MissedDownload {
  readonly planned: Pick<PlannedDownload, 'id' | 'folder' | 'files' | 'download'> | undefined;
  readonly result: DownloadResult;
}

/** What the downloads of some sources came to. */
export interface DownloadedSources {
  readonly results: readonly DownloadResult[];
  readonly missed: readonly MissedDownload[];
}

/**
 * Downloads what is due of some sources (feeds, the gazetteer) into the downloads. Tokens and passwords are read from
 * the environment here, where they are used: settings travel through Redis.
 */
export async function downloadSources(
  sources: readonly string[],
  outputDir: string,
  night: LiveSettings & { readonly readVariable: ReadVariable; readonly watcher: DownloadWatcher },
): Promise<DownloadedSources> {
  const dir = downloadsDir(outputDir);
  const geofeeds = sources.includes('own') ? await readGeofeedList(dir) : undefined;
  const dumps = sources.includes(RIB_SOURCE) ? ribDownloads(night.collectors) : undefined;
  const declared = sources.filter((source) => source !== RIB_SOURCE).flatMap(filesOfSource);
  const plan = planDownloads([...declared, ...(dumps ?? []), ...(geofeeds?.files ?? [])]);
  // A list that is not there (a disk that is not mounted) says nothing about what was downloaded.
  if (geofeeds) await removeUnlisted(dir, listedIn('own', 'geofeeds_', geofeeds.files));
  if (dumps) await removeUnlisted(dir, listedIn(RIB_FOLDER, '', dumps));
  const context = {
    dir,
    since: new Date(night.since),
    limits: FETCH_LIMITS,
    mirror: night.mirror === undefined ? undefined : new Mirror(night.mirror),
    acceptSmall: night.acceptSmall ?? false,
    readVariable: night.readVariable,
    now: () => new Date(),
  };
  const results = await downloadAll(plan, context, night.watcher);
  const missed = results.flatMap((result, n): MissedDownload[] =>
    result.outcome === 'failed' || result.outcome === 'skipped' ? [{ planned: plan[n]!, result }] : [],
  );
  const unreadable = (geofeeds?.badLines ?? []).map(badLine);
  return {
    results: [...results, ...unreadable],
    missed: [...missed, ...unreadable.map((result) => ({ planned: undefined, result }))],
  };
}

/** Which of a source's files are not tonight's, and what the manifest tells about it. */
export function describeMissed(
  missed: readonly MissedDownload[],
  source: string,
  files: readonly SnapshotFile[],
): { readonly files: readonly SnapshotFile[]; readonly notFetched: readonly NotFetched[] } {
  const patterns = filesOfSource(source);
  const stale = new Set<SnapshotFile>();
  const notFetched = missed.map(({ planned, result }): NotFetched => {
    const { outcome, file, text, copy } = result;
    const hit = patterns.flatMap((pattern, n) => (planned && brings(planned, pattern) ? [n] : []));
    // IANA's registries come with the project: they may be there without a copy.
    const old = files.filter(
      ({ id, pattern }) =>
        hit.includes(pattern) &&
        (id === file || comesWithProject(patterns[pattern]!) || planned?.download.archive !== undefined),
    );
    for (const one of old) stale.add(one);
    const refusal = outcome === 'skipped' ? 'skipped' : 'download';
    return { file, refusal, found: text, patterns: hit, held: copy !== undefined || old.length > 0 };
  });
  return { files: files.map((file) => (stale.has(file) ? { ...file, stale: true } : file)), notFetched };
}

function listedIn(folder: string, prefix: string, files: readonly FeedFile[]): ListedDownloads {
  return { folder, prefix, listed: planDownloads(files) };
}

function brings(
  { folder, files }: Pick<PlannedDownload, 'folder' | 'files'>,
  pattern: { readonly folder: string; readonly name: string },
): boolean {
  return (
    pattern.folder === folder &&
    files.some(({ name }) => name === pattern.name || matchesName(pattern.name, name))
  );
}

function badLine(line: number): DownloadResult {
  const text = `line ${line} is not the URL of a geofeed`;
  return { file: GEOFEED_LIST, outcome: 'failed', failure: 'name', text };
}
