import { posix } from 'node:path';
import type { FeedFile } from '../feeds/feed.js';
import { matchesName } from '../feeds/name-pattern.js';
import type { SnapshotFile } from './snapshot.js';

/** Many files under one declaration, not one file whose name carries a date. */
export function isFamily({ name, take }: FeedFile): boolean {
  return name.includes('*') && take === 'all';
}

/** Dated snapshots of many publishers, each in a folder of its own (`rib/rrc00/…`). */
export function isInFolders({ name, take }: FeedFile): boolean {
  return take === 'latest' && posix.dirname(name).includes('*');
}

/** Whether one of many may be there or not. */
export function hasMembers(declared: FeedFile): boolean {
  return isFamily(declared) || isInFolders(declared);
}

/** Whether a file of this id is a member of what has members, not the archive that brings all of them. */
export function isMember(id: string, declared: FeedFile): boolean {
  if (!hasMembers(declared)) return false;
  const path = `${declared.folder}/${declared.name}`;
  return declared.take === 'all'
    ? matchesName(path, id)
    : matchesName(posix.dirname(path), posix.dirname(id));
}

/** Whether two ids of files found under one declaration stand for the same thing, on the same or another night. */
export function isSameMember(id: string, other: string, declared: FeedFile): boolean {
  if (id === other) return true;
  return declared.take === 'latest' && posix.dirname(id) === posix.dirname(other);
}

/** Whether `file` is the next one of what `kept` was: of the same name, or of a series of dated names. */
export function isSuccessor(file: SnapshotFile, kept: SnapshotFile, patterns: readonly FeedFile[]): boolean {
  if (file.pattern !== kept.pattern) return false;
  const declared = patterns[file.pattern];
  return declared !== undefined && isSameMember(file.id, kept.id, declared);
}
