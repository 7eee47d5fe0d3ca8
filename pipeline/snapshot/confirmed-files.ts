import { dayOfMs } from '../lists/days.js';
import type { LastGoodFile, Snapshots } from './file-choice.js';
import type { NotFetched, SnapshotFile } from './snapshot.js';

/** A build with FEEDS=live, and the maximum age of a list's files in it. */
export interface LiveNight {
  /** ISO 8601 UTC. */
  readonly since: string;
  readonly maxAgeDays: number;
}

/** Returns when a file was last known to be current, in ms since 1970. */
export function confirmedMs({ confirmed, modified }: Pick<SnapshotFile, 'confirmed' | 'modified'>): number {
  return Date.parse(confirmed ?? modified);
}

/**
 * Returns the files of a list with their confirmation dates. A file that was downloaded tonight, or that the publisher
 * reported as unchanged, is confirmed tonight, whatever its modification date. A copy that could not be refreshed keeps
 * the date of the last release. If at least one file is recent enough, files beyond the maximum age are left out: they
 * would make the whole list look old. If all files are too old, all stay, and the merge ignores and reports the list.
 */
export function confirmFiles(snapshots: Snapshots, night: LiveNight): Snapshots {
  const { tonight, lastGood, notFetched = [] } = snapshots;
  const files = tonight.map((file) => confirmFile(file, snapshots, night.since));
  const isShared = ({ pattern }: SnapshotFile): boolean => snapshots.patterns[pattern]?.shared === true;
  const isRecent = (file: SnapshotFile): boolean => isShared(file) || !isTooOld(file, night);
  if (!files.some((file) => !isShared(file) && isRecent(file))) return { ...snapshots, tonight: files };
  const recent = files.filter(isRecent);
  return {
    ...snapshots,
    tonight: recent,
    lastGood: lastGood.filter(isRecent),
    notFetched: notFetched.map((missed) => withoutOld(missed, files, recent)),
  };
}

function confirmFile(file: SnapshotFile, { patterns, lastGood }: Snapshots, since: string): SnapshotFile {
  const { download, shared } = patterns[file.pattern]!;
  // Files that people provide have no publisher to confirm them.
  if (download === undefined || shared === true) return file;
  const confirmed = file.stale === true ? confirmedBefore(file, lastGood) : since;
  return confirmed === undefined ? file : { ...file, confirmed };
}

function confirmedBefore(file: SnapshotFile, lastGood: readonly LastGoodFile[]): string | undefined {
  return lastGood.find(({ id, sha256 }) => id === file.id && sha256 === file.sha256)?.confirmed;
}

function isTooOld(file: SnapshotFile, { since, maxAgeDays }: LiveNight): boolean {
  return dayOfMs(Date.parse(since)) - dayOfMs(confirmedMs(file)) > maxAgeDays;
}

/** Returns the missing file, with a note if its copy was left out as too old. */
function withoutOld(
  missed: NotFetched,
  files: readonly SnapshotFile[],
  recent: readonly SnapshotFile[],
): NotFetched {
  const isCopy = ({ id, pattern, stale }: SnapshotFile): boolean =>
    stale === true && (id === missed.file || missed.patterns.includes(pattern));
  if (!missed.held || !files.some(isCopy) || recent.some(isCopy)) return missed;
  return {
    ...missed,
    held: false,
    found: `${missed.found}; the last copy is beyond the maximum age of the list`,
  };
}
