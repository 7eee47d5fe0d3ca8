import { join } from 'node:path';
import type { PublishedFile } from '../input/published-source.js';
import { matchesName } from '../input/name-pattern.js';
import { RIB_FOLDER, ribDownloads } from '../input/routing-downloads.js';
import { downloadAll, type DownloadWatcher } from '../fetch/download-all.js';
import type { DownloadResult } from '../fetch/download.js';
import { planDownloads, type PlannedDownload } from '../fetch/download-plan.js';
import { FETCH_LIMITS } from '../fetch/fetch-limits.js';
import { GEOFEED_LIST, readGeofeedList } from '../fetch/geofeed-list.js';
import { REGISTRY_DUMPS } from '../fetch/registry-dumps.js';
import { Mirror } from '../fetch/mirror.js';
import { removeUnlisted, type ListedDownloads } from '../fetch/remove-unlisted.js';
import type { ReadVariable } from '../fetch/secrets.js';
import type { LiveSettings } from '../stage/settings.js';
import { downloadReferencedGeofeeds } from './download-geofeeds.js';
import type { NotFetched, SnapshotFile } from './snapshot.js';
import { isBundled, filesOfSource } from './sources.js';

/** The source with the dumps of the configured collectors. */
const RIB_SOURCE = 'rib';

/** Returns the folder for downloads in an output folder. It has the layout of an input folder. */
export function downloadsDir(outputDir: string): string {
  return join(outputDir, 'downloads');
}

/** A download that failed or was skipped, and the files that it should have brought. */
export interface MissedDownload {
  readonly planned: Pick<PlannedDownload, 'id' | 'folder' | 'files' | 'download'> | undefined;
  readonly result: DownloadResult;
}

/** Results of the downloads of some sources. */
export interface DownloadedSources {
  readonly results: readonly DownloadResult[];
  readonly missed: readonly MissedDownload[];
}

/**
 * Downloads the files of some sources that are due. Reads tokens and passwords from the environment here, where they
 * are used, because settings are stored in Redis.
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
  const registrations = sources.includes('own') ? REGISTRY_DUMPS : [];
  const plan = planDownloads([...declared, ...registrations, ...(dumps ?? []), ...(geofeeds?.files ?? [])]);
  // Without the list (a disk may not be mounted) nothing is removed.
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
  const found = sources.includes('own')
    ? await downloadReferencedGeofeeds(geofeeds?.files ?? [], context, night.watcher)
    : [];
  const missed = results.flatMap((result, n): MissedDownload[] =>
    result.outcome === 'failed' || result.outcome === 'skipped' ? [{ planned: plan[n]!, result }] : [],
  );
  const others = [...found, ...(geofeeds?.badLines ?? []).map(badLine)];
  const failed = others.filter(({ outcome }) => outcome === 'failed');
  return {
    results: [...results, ...others],
    missed: [...missed, ...failed.map((result) => ({ planned: undefined, result }))],
  };
}

/** Marks the files of a source that could not be refreshed as stale, and describes why for the manifest. */
export function describeMissed(
  missed: readonly MissedDownload[],
  source: string,
  files: readonly SnapshotFile[],
): { readonly files: readonly SnapshotFile[]; readonly notFetched: readonly NotFetched[] } {
  const patterns = filesOfSource(source);
  const stale = new Set<SnapshotFile>();
  const notFetched = missed.map(({ planned, result }): NotFetched => {
    const { outcome, file, text, copy } = result;
    const matching = patterns.flatMap((pattern, n) => (planned && brings(planned, pattern) ? [n] : []));
    // IANA's registries are bundled, so they may exist without a downloaded copy.
    const old = files.filter(
      ({ id, pattern }) =>
        matching.includes(pattern) &&
        (id === file || isBundled(patterns[pattern]!) || planned?.download.archive !== undefined),
    );
    for (const one of old) stale.add(one);
    const refusal = outcome === 'skipped' ? 'skipped' : 'download';
    return { file, refusal, found: text, patterns: matching, held: copy !== undefined || old.length > 0 };
  });
  return { files: files.map((file) => (stale.has(file) ? { ...file, stale: true } : file)), notFetched };
}

function listedIn(folder: string, prefix: string, files: readonly PublishedFile[]): ListedDownloads {
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
  const text = `line ${line}: not an https URL`;
  return { file: GEOFEED_LIST, outcome: 'failed', failure: 'name', text };
}
