import { mkdir, writeFile } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { readFileTail } from '../mmdb/file-tail.js';
import type { Manifest, ManifestEdition, ManifestFile } from './contract.js';
import { sha256Bytes } from './digest.js';
import { digestEndings } from './digest-editions.js';
import { editionsOf, encodeEdition } from './editions.js';

/**
 * Writes the editions of the downloadable files into the folder of a release, and returns the manifest with them and
 * with the md5 of their files. Throws MmdbError for a file without valid metadata, and the errors of the file system.
 */
export async function addEditions(manifest: Manifest, workDir: string): Promise<Manifest> {
  const editions: ManifestEdition[] = [];
  const files: ManifestFile[] = [];
  for (const file of manifest.files) {
    const types = file.kind === 'download' ? editionsOf(file.databaseType) : [];
    const made = types.length === 0 ? undefined : await editionsOfFile(file, types, workDir);
    files.push(made === undefined ? file : { ...file, md5: made.md5 });
    editions.push(...(made?.editions ?? []));
  }
  return editions.length === 0 ? manifest : { ...manifest, files, editions };
}

/** Writes the editions of one file. */
async function editionsOfFile(
  { name }: ManifestFile,
  types: readonly string[],
  workDir: string,
): Promise<{ readonly md5: string; readonly editions: ManifestEdition[] }> {
  const path = join(workDir, name);
  const tail = await readFileTail(path);
  const tails = types.map((type) => encodeEdition(tail.metadata, type));
  const { bodyBytes } = tail;
  const digests = await digestEndings({ path, bodyBytes, tails: [...tails, tail.bytes] });
  const editions: ManifestEdition[] = [];
  for (const [i, type] of types.entries()) {
    const tail = tails[i]!;
    const edition = `editions/${basename(name, '.mmdb')}-${type.toLowerCase()}.metadata`;
    await mkdir(dirname(join(workDir, edition)), { recursive: true });
    await writeFile(join(workDir, edition), tail);
    const bytes = { sizeBytes: tail.length, sha256: sha256Bytes(tail) };
    editions.push({
      name: edition,
      kind: 'edition',
      ...bytes,
      type,
      of: name,
      bodyBytes,
      whole: digests[i]!,
    });
  }
  return { md5: digests.at(-1)!.md5, editions };
}
