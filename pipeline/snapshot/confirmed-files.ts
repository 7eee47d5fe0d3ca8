import { dayOfMs } from '../lists/days.js';
import type { LastGoodFile, Snapshots } from './file-choice.js';
import type { NotFetched, SnapshotFile } from './snapshot.js';
import type { InputFile } from './sources.js';

/** A build with FEEDS=live, and the maximum age of a list's files in it; undefined for other sources. */
export interface LiveNight {
  /** ISO 8601 UTC. */
  readonly since: string;
  readonly maxAgeDays: number | undefined;
}

/** Returns when a file was last known to be current, in ms since 1970. */
export function confirmedMs({ confirmed, modified }: Pick<SnapshotFile, 'confirmed' | 'modified'>): number {
  return Date.parse(confirmed ?? modified);
}

/**
 * Returns the files of a source, and the confirmation dates of those with a maximum age. A file that was downloaded
 * tonight, or that the publisher reported as unchanged, is confirmed tonight, whatever its modification date. A copy that
 * could not be refreshed keeps the date of the last release. Files beyond their maximum age are left out: those of a list
 * would make the whole list look old. If all files of a list are too old, all stay, and the merge ignores and reports the
 * list.
 */
export function confirmFiles(snapshots: Snapshots, night: LiveNight): Snapshots {
  const { tonight, lastGood, notFetched = [], patterns } = snapshots;
  const mayExpire = ({ pattern }: SnapshotFile): boolean => maxAgeOf(patterns[pattern], night) !== undefined;
  const files = tonight.map((file) => (mayExpire(file) ? confirmFile(file, snapshots, night.since) : file));
  const isRecent = (file: SnapshotFile): boolean => {
    const maxAgeDays = maxAgeOf(patterns[file.pattern], night);
    return maxAgeDays === undefined || ageDaysOf(file, night) <= maxAgeDays;
  };
  const isList = night.maxAgeDays !== undefined;
  if (isList && !files.some((file) => mayExpire(file) && isRecent(file)))
    return { ...snapshots, tonight: files };
  const recent = files.filter(isRecent);
  return {
    ...snapshots,
    tonight: recent,
    lastGood: lastGood.filter(isRecent),
    notFetched: notFetched.map((missed) => withoutOld(missed, files, recent)),
  };
}

/** Returns the maximum age of a file; undefined if it has none. IANA's registries have none. */
function maxAgeOf(file: InputFile | undefined, night: LiveNight): number | undefined {
  return file?.shared === true ? undefined : (file?.maxAgeDays ?? night.maxAgeDays);
}

function confirmFile(file: SnapshotFile, { patterns, lastGood }: Snapshots, since: string): SnapshotFile {
  // Files that people provide have no publisher to confirm them.
  if (patterns[file.pattern]!.download === undefined) return file;
  const confirmed = file.stale === true ? confirmedBefore(file, lastGood) : since;
  return confirmed === undefined ? file : { ...file, confirmed };
}

function confirmedBefore(file: SnapshotFile, lastGood: readonly LastGoodFile[]): string | undefined {
  return lastGood.find(({ id, sha256 }) => id === file.id && sha256 === file.sha256)?.confirmed;
}

function ageDaysOf(file: SnapshotFile, { since }: LiveNight): number {
  return dayOfMs(Date.parse(since)) - dayOfMs(confirmedMs(file));
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
    found: `${missed.found}; the last copy is beyond its maximum age`,
  };
}
