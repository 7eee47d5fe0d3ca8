import { chmodSync, lstatSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';

/** Permissions of the owner only. */
const FOLDER_MODE = 0o700;
const FILE_MODE = 0o600;
/** The permissions of other users: of the group and of everybody else. */
const OTHERS = 0o077;

/**
 * Takes the permissions of other users from a folder and everything in it: folders get mode 0700, files 0600. Does not
 * follow symlinks in the folder. Returns a line for each path that other users can still access.
 */
export function makePrivate(dir: string): string[] {
  const inside = readdirSync(dir, { withFileTypes: true, recursive: true })
    .filter((entry) => entry.isDirectory() || entry.isFile())
    .map((entry) => ({ path: join(entry.parentPath, entry.name), isFolder: entry.isDirectory() }));
  return [{ path: dir, isFolder: true }, ...inside].flatMap(({ path, isFolder }) => {
    const mode = isFolder ? FOLDER_MODE : FILE_MODE;
    const failure = restrict(path, mode, isFolder && path === dir ? statSync : lstatSync);
    if (failure === undefined) return [];
    return [
      `warning: other users of this machine can access ${path}: cannot set its mode to ` +
        `0${mode.toString(8)}: ${failure}`,
    ];
  });
}

/** Sets a mode if other users have permissions. Returns why that failed. A file removed meanwhile is no failure. */
function restrict(path: string, mode: number, stat: typeof statSync): string | undefined {
  const isOpen = (): boolean => ((stat(path, { throwIfNoEntry: false })?.mode ?? 0) & OTHERS) !== 0;
  if (!isOpen()) return undefined;
  try {
    chmodSync(path, mode);
  } catch (error) {
    if (!(error instanceof Error)) throw error;
    return isOpen() ? error.message : undefined;
  }
  // Some file systems ignore modes.
  return isOpen() ? 'the file system does not keep it' : undefined;
}
