import { posix } from 'node:path';
import type { PublishedFile } from '../input/published-source.js';
import { matchesName } from '../input/name-pattern.js';
import type { SnapshotFile } from './snapshot.js';

/** Whether a declaration covers many files at once, in contrast to one file with a date in its name. */
export function isFamily({ name, take }: PublishedFile): boolean {
  return name.includes('*') && take === 'all';
}

/** Whether a declaration covers dated snapshots of several publishers, one folder each (`rib/rrc00/…`). */
export function isInFolders({ name, take }: PublishedFile): boolean {
  return take === 'latest' && posix.dirname(name).includes('*');
}

/** Returns whether single files of a declaration may be added and withdrawn. */
export function hasMembers(declared: PublishedFile): boolean {
  return isFamily(declared) || isInFolders(declared);
}

/** Whether this id is a member of the declaration, and not the archive that contains all members. */
export function isMember(id: string, declared: PublishedFile): boolean {
  if (!hasMembers(declared)) return false;
  const path = `${declared.folder}/${declared.name}`;
  return declared.take === 'all'
    ? matchesName(path, id)
    : matchesName(posix.dirname(path), posix.dirname(id));
}

/** Whether two ids found under one declaration are the same member, on the same night or on different nights. */
export function isSameMember(id: string, other: string, declared: PublishedFile): boolean {
  if (id === other) return true;
  return declared.take === 'latest' && posix.dirname(id) === posix.dirname(other);
}

/** Whether `file` replaces `kept`: it has the same name, or belongs to the same series of dated names. */
export function isSuccessor(
  file: SnapshotFile,
  kept: SnapshotFile,
  patterns: readonly PublishedFile[],
): boolean {
  if (file.pattern !== kept.pattern) return false;
  const declared = patterns[file.pattern];
  return declared !== undefined && isSameMember(file.id, kept.id, declared);
}
