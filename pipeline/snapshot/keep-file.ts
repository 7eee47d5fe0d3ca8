import { lstat, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { PublishedFile } from '../input/published-source.js';
import { absentIfMissing, isMissing } from '../release/missing.js';
import type { FileStore } from '../store/file-store.js';
import type { SnapshotFile } from './snapshot.js';
import { TransientError } from '../store/transient-error.js';

/** A file found in an input folder. */
export interface FoundFile {
  readonly dir: string;
  readonly file: PublishedFile;
  readonly name: string;
  readonly pattern: number;
  /** The file is never modified in place, only replaced, so it may be hard-linked. */
  readonly mayLink: boolean;
}

/** An input path that cannot be read: a folder, a pipe, a broken link, or a file without read permission. */
export class UnreadableFile extends Error {
  override readonly name = 'UnreadableFile';

  constructor(
    /** `<folder>/<name>`. */
    readonly file: string,
    found: string,
    options?: ErrorOptions,
  ) {
    super(found, options);
  }
}

/** Stores the content of a file. Throws UnreadableFile, or TransientError if the file disappears meanwhile. */
export async function keepFile(found: FoundFile, store: FileStore): Promise<SnapshotFile> {
  const { dir, file, name, pattern, mayLink } = found;
  const path = join(dir, file.folder, name);
  const id = `${file.folder}/${name}`;
  try {
    const about = await stat(path);
    // Reading a pipe would never end.
    if (!about.isFile()) throw new UnreadableFile(id, 'not a regular file');
    const digest = await store.keep(path, { mayLink });
    const modified = about.mtime.toISOString();
    return { id, folder: file.folder, name, pattern, ...digest, modified };
  } catch (error) {
    if (isMissing(error) && (await isLink(path)))
      throw new UnreadableFile(id, 'broken symbolic link', { cause: error });
    if (isMissing(error)) throw new TransientError(`${path} disappeared while it was read`, { cause: error });
    const code = unreadableCode(error);
    if (code !== undefined) throw new UnreadableFile(id, `cannot be read: ${code}`, { cause: error });
    throw error;
  }
}

async function isLink(path: string): Promise<boolean> {
  return (await absentIfMissing(lstat(path)))?.isSymbolicLink() === true;
}

/** Error codes that a retry does not cure. A failing disk (EIO) is not among them: it stops the build. */
const UNREADABLE: readonly unknown[] = ['EACCES', 'EPERM', 'ELOOP'];

function unreadableCode(error: unknown): string | undefined {
  return error instanceof Error && 'code' in error && UNREADABLE.includes(error.code)
    ? String(error.code)
    : undefined;
}
