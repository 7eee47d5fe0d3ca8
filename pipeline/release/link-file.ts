import { constants } from 'node:fs';
import { copyFile, link } from 'node:fs/promises';

/**
 * Hard-links a file that no longer changes, or copies it when the file system has no hard links or is another one.
 * Throws the system's error when `to` exists or `from` does not.
 */
export async function linkFile(from: string, to: string): Promise<void> {
  try {
    await link(from, to);
  } catch (error) {
    if (!isUnlinkable(error)) throw error;
    await copyFile(from, to, constants.COPYFILE_FICLONE | constants.COPYFILE_EXCL);
  }
}

/** Another file system, no hard links, no permission to link, or too many links. */
const UNLINKABLE = ['EXDEV', 'EPERM', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS', 'EMLINK'];

function isUnlinkable(error: unknown): boolean {
  return error instanceof Error && 'code' in error && UNLINKABLE.includes(String(error.code));
}
