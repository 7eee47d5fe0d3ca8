import { constants } from 'node:fs';
import { copyFile, link } from 'node:fs/promises';

/**
 * Gives a file that nobody writes to any more a second name: a hard link, or a copy where the file system has no such
 * links or lies elsewhere. Throws the system's error when `to` is there or `from` is not.
 */
export async function linkFile(from: string, to: string): Promise<void> {
  try {
    await link(from, to);
  } catch (error) {
    if (!isUnlinkable(error)) throw error;
    await copyFile(from, to, constants.COPYFILE_FICLONE | constants.COPYFILE_EXCL);
  }
}

/** Another file system, none with hard links, no right to make one, or as many names as a file can have. */
const UNLINKABLE = ['EXDEV', 'EPERM', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS', 'EMLINK'];

function isUnlinkable(error: unknown): boolean {
  return error instanceof Error && 'code' in error && UNLINKABLE.includes(String(error.code));
}
