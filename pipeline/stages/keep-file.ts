import { lstat, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { FeedFile } from '../feeds/feed.js';
import { absentIfMissing, isMissing } from '../release/missing.js';
import type { FileStore } from './file-store.js';
import type { SnapshotFile } from './snapshot.js';
import { TransientError } from './transient-error.js';

/** A file by its name below an input directory. */
export interface FoundFile {
  readonly dir: string;
  readonly file: FeedFile;
  readonly name: string;
  readonly pattern: number;
  /** Nobody writes into the file: it is replaced as a whole. */
  readonly mayLink: boolean;
}

/** What stands in the place of a file and cannot be read: a folder, a pipe, a broken link, a file of somebody else's. */
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

/** Keeps the content of a file. Throws UnreadableFile, and TransientError when it goes away meanwhile. */
export async function keepFile(found: FoundFile, store: FileStore): Promise<SnapshotFile> {
  const { dir, file, name, pattern, mayLink } = found;
  const path = join(dir, file.folder, name);
  const id = `${file.folder}/${name}`;
  try {
    const about = await stat(path);
    // Reading a pipe would never end.
    if (!about.isFile()) throw new UnreadableFile(id, 'it is no file');
    const digest = await store.keep(path, { mayLink });
    const modified = about.mtime.toISOString();
    return { id, folder: file.folder, name, pattern, ...digest, modified };
  } catch (error) {
    if (isMissing(error) && (await isLink(path)))
      throw new UnreadableFile(id, 'it is a link to nothing', { cause: error });
    if (isMissing(error)) throw new TransientError(`${path} went away while it was read`, { cause: error });
    const code = unreadableCode(error);
    if (code !== undefined) throw new UnreadableFile(id, `it cannot be read: ${code}`, { cause: error });
    throw error;
  }
}

async function isLink(path: string): Promise<boolean> {
  return (await absentIfMissing(lstat(path)))?.isSymbolicLink() === true;
}

/** The system's words for what will be no better in a moment. A failing disk is none of them: it stops the night. */
const UNREADABLE: readonly unknown[] = ['EACCES', 'EPERM', 'ELOOP'];

function unreadableCode(error: unknown): string | undefined {
  return error instanceof Error && 'code' in error && UNREADABLE.includes(error.code)
    ? String(error.code)
    : undefined;
}
