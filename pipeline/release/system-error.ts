import { mkdirSync, statSync } from 'node:fs';
import { dirname, resolve } from 'node:path';

/** What the codes of the operating system mean for a path, and what to do. */
const MEANINGS: Readonly<Record<string, (path: string) => string>> = {
  ENOSPC: (path) => `no space left on the disk of ${path}: free some space`,
  EDQUOT: (path) => `the disk quota for ${path} is used up: free some space, or raise the quota`,
  EROFS: (path) => `${path} is on a read-only file system: choose another folder, or mount it for writing`,
  EACCES: (path) => `no permission for ${path}: change its owner or mode, or choose another folder`,
  EPERM: (path) => `no permission for ${path}: change its owner or mode, or choose another folder`,
  EEXIST: (path) => `${path} exists already and is not a folder`,
  ENOTDIR: (path) => `a part of ${path} is a file, not a folder`,
  EMFILE: (path) => `too many open files, at ${path}: raise the limit (ulimit -n)`,
  ENFILE: (path) => `too many open files on this machine, at ${path}`,
  EIO: (path) => `the disk of ${path} fails: see the kernel's log`,
};

const UNCREATABLE = (path: string): string => `${path} cannot be created there: choose another folder`;

/**
 * Describes an error of the file system: its path, else the folder in which the program writes, its meaning and its
 * code. Returns undefined for other errors.
 */
export function describeSystemError(error: unknown, writesTo: string): string | undefined {
  if (!(error instanceof Error) || !('code' in error) || !('syscall' in error)) return undefined;
  const code = String(error.code);
  const path = 'path' in error && typeof error.path === 'string' ? error.path : writesTo;
  const meaning = code === 'ENOENT' && error.syscall === 'mkdir' ? UNCREATABLE : MEANINGS[code];
  return meaning && `${meaning(path)} (${code}, ${String(error.syscall)})`;
}

/**
 * Creates a folder with its parents. Throws the error of the first folder that cannot be created: the recursive mkdir of
 * Node reports a read-only disk as ENOENT, and does not return for a folder in /proc.
 */
export function makeFolder(dir: string): void {
  const path = resolve(dir);
  const found = statSync(path, { throwIfNoEntry: false });
  if (found?.isDirectory()) return;
  if (found === undefined && dirname(path) !== path) makeFolder(dirname(path));
  try {
    mkdirSync(path);
  } catch (error) {
    // Another process may have created it meanwhile.
    const isMade = statSync(path, { throwIfNoEntry: false })?.isDirectory();
    if (isMade !== true) throw error;
  }
}
