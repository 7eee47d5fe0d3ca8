import { dayOfMs } from '../lists/days.js';
import type { LastGoodFile, Snapshots } from './file-choice.js';
import type { NotFetched, SnapshotFile } from './snapshot.js';

/** A live night, and for how long it believes files of a list that are not renewed. */
export interface LiveNight {
  /** ISO 8601 UTC. */
  readonly since: string;
  readonly maxAgeDays: number;
}

/** When a file was last known to hold, in ms since 1970. */
export function confirmedMs({ confirmed, modified }: Pick<SnapshotFile, 'confirmed' | 'modified'>): number {
  return Date.parse(confirmed ?? modified);
}

/**
 * The files of a list as a live night sees them. What was downloaded, or is unchanged by its publisher's word, is
 * confirmed tonight, however long ago it was changed; a copy that was not renewed was confirmed when the last release
 * says. Beside a file that is believed those that are too old are left out, so that they neither spoil its age nor
 * live on; a list that is too old as a whole stays, for the merge to tell.
 */
export function confirmFiles(snapshots: Snapshots, night: LiveNight): Snapshots {
  const { tonight, lastGood, notFetched = [] } = snapshots;
  const files = tonight.map((file) => confirmFile(file, snapshots, night.since));
  const isShared = ({ pattern }: SnapshotFile): boolean => snapshots.patterns[pattern]?.shared === true;
  const isBelieved = (file: SnapshotFile): boolean => isShared(file) || !isTooOld(file, night);
  if (!files.some((file) => !isShared(file) && isBelieved(file))) return { ...snapshots, tonight: files };
  const believed = files.filter(isBelieved);
  return {
    ...snapshots,
    tonight: believed,
    lastGood: lastGood.filter(isBelieved),
    notFetched: notFetched.map((missed) => withoutOld(missed, files, believed)),
  };
}

function confirmFile(file: SnapshotFile, { patterns, lastGood }: Snapshots, since: string): SnapshotFile {
  const { download, shared } = patterns[file.pattern]!;
  // Nobody confirms what people provide.
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

/** What could not be had, and whose copy is left out as well. */
function withoutOld(
  missed: NotFetched,
  files: readonly SnapshotFile[],
  believed: readonly SnapshotFile[],
): NotFetched {
  const isCopy = ({ id, pattern, stale }: SnapshotFile): boolean =>
    stale === true && (id === missed.file || missed.patterns.includes(pattern));
  if (!missed.held || !files.some(isCopy) || believed.some(isCopy)) return missed;
  return { ...missed, held: false, found: `${missed.found}; the copy of it is too old to be believed` };
}
