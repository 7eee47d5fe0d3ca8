import { randomUUID } from 'node:crypto';
import { constants } from 'node:fs';
import { copyFile, open, rename, rm, stat } from 'node:fs/promises';
import { basename, dirname, join, resolve } from 'node:path';
import { MmdbError } from '../mmdb/mmdb-error.js';
import { readFileTail, type FileTail } from '../mmdb/file-tail.js';
import type { ManifestEdition } from '../release/contract.js';
import { digestEndings } from '../release/digest-editions.js';
import { fsyncPath } from '../release/durable.js';
import { editionsOf, encodeEdition, TYPES_WITH_EDITIONS } from '../release/editions.js';
import { absentIfMissing } from '../release/missing.js';
import { UsageError } from './usage-error.js';

/** A written edition. */
export type MadeEdition = ManifestEdition['whole'] & { readonly out: string; readonly type: string };

/**
 * Writes an edition of one of our files: the same database under another type. A file at `out` is replaced when the new
 * one is complete. Throws UsageError when the file has no such edition or is `out` itself, and MmdbError when it is no
 * MMDB file.
 */
export async function makeEdition(path: string, type: string, out: string): Promise<MadeEdition> {
  const tail = await readTail(path);
  const allowed = editionsOf(tail.metadata.databaseType);
  if (!allowed.includes(type)) throw noEdition(path, { type, found: tail.metadata.databaseType });
  if (await isSameFile(path, out))
    throw new UsageError(`${out} is the file itself: choose another one with -o`);
  const bytes = encodeEdition(tail.metadata, type);
  const { bodyBytes } = tail;
  const draft = join(dirname(resolve(out)), `.tmp-${basename(out)}-${randomUUID()}`);
  try {
    await copyFile(path, draft, constants.COPYFILE_FICLONE | constants.COPYFILE_EXCL);
    await replaceEnd(draft, bodyBytes, bytes);
    const [whole] = await digestEndings({ path: draft, bodyBytes, tails: [bytes] });
    await rename(draft, out);
    await fsyncPath(dirname(resolve(out)));
    return { out, type, ...whole! };
  } catch (error) {
    await rm(draft, { force: true });
    throw error;
  }
}

async function readTail(path: string): Promise<FileTail> {
  try {
    return await readFileTail(path);
  } catch (cause) {
    if (cause instanceof MmdbError) throw new Error(`${path} is no MMDB file: ${cause.found}`, { cause });
    throw cause;
  }
}

function noEdition(
  path: string,
  { type, found }: { readonly type: string; readonly found: string },
): UsageError {
  const allowed = editionsOf(found);
  return new UsageError(
    allowed.length === 0
      ? `${path} has the type "${found}": expected a file of the type ${TYPES_WITH_EDITIONS.join(', ')}`
      : `invalid type "${type}" for ${path}: expected ${allowed.join(', ')}`,
  );
}

async function isSameFile(one: string, other: string): Promise<boolean> {
  const [there, found] = [await stat(one), await absentIfMissing(stat(other))];
  return there.ino === found?.ino && there.dev === found.dev;
}

/** Cuts a file after `bodyBytes`, appends bytes, and syncs it to disk. */
async function replaceEnd(path: string, bodyBytes: number, bytes: Uint8Array): Promise<void> {
  const file = await open(path, 'r+');
  try {
    await file.truncate(bodyBytes);
    await file.write(bytes, 0, bytes.length, bodyBytes);
    await file.sync();
  } finally {
    await file.close();
  }
}
