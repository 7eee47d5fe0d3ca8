import { readFile, stat } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { readMetadata, type MmdbMetadata } from '../mmdb/metadata.js';
import { MmdbError } from '../mmdb/mmdb-error.js';
import { layOut, type MmdbLayout } from '../mmdb/tree-layout.js';
import { isMissing } from '../release/missing.js';
import { MANIFEST, readManifestFile, ReleaseError } from '../release/release-store.js';
import { COLUMNS, exportedTypes, kindOf, type Column, type DatasetKind } from './columns.js';
import { ExportError } from './export-error.js';

/** A dataset that can be exported. */
export interface Dataset {
  readonly path: string;
  readonly kind: DatasetKind;
  readonly metadata: MmdbMetadata;
  readonly layout: MmdbLayout;
  /** The columns of its kind. */
  readonly columns: readonly Column[];
  /** The licence and the attributions, one fact a line. */
  readonly notice: readonly string[];
}

/** Opens a dataset file. Throws ExportError when it is no MMDB file or of a type that cannot be exported. */
export async function openDataset(path: string): Promise<Dataset> {
  const layout = await layoutOf(path);
  const { metadata } = layout;
  const kind = kindOf(metadata.databaseType);
  if (!kind)
    throw new ExportError(
      `${path} has the type "${metadata.databaseType}": expected one of ${exportedTypes().join(', ')}`,
    );
  return { path, kind, metadata, layout, columns: COLUMNS[kind], notice: await noticeOf(path, metadata) };
}

async function layoutOf(path: string): Promise<MmdbLayout> {
  try {
    const bytes = await readFile(path);
    return layOut(bytes, readMetadata(bytes));
  } catch (cause) {
    if (isMissing(cause)) throw new ExportError(`file not found: ${path}`, { cause });
    if (cause instanceof MmdbError)
      throw new ExportError(`${path} is not an MMDB file: ${cause.found}`, { cause });
    throw cause;
  }
}

/** Returns the terms from the manifest of the file's release, else what the file's own description says. */
async function noticeOf(path: string, metadata: MmdbMetadata): Promise<string[]> {
  const built = new Date(metadata.buildEpoch * 1000);
  const title = `${basename(path)} (${metadata.databaseType}), built ${isNaN(+built) ? 'at no date' : built.toISOString()}`;
  const listed = await listedFile(path);
  if (!listed) return [title, metadata.description['en'] ?? 'The file states no terms.'].map(oneLine);
  const { release, terms, attributions } = listed;
  return [
    title,
    `Release: ${release}`,
    `Terms: ${TERMS[terms]}`,
    ...attributions.map((line) => `Attribution: ${line}`),
  ].map(oneLine);
}

const TERMS = {
  free: 'may be redistributed with the attributions',
  'share-alike': 'may be redistributed with the attributions and under the same licence',
  unstated: 'must not be redistributed: a source states no licence',
  closed: 'must not be redistributed: the licence of a source forbids it',
} as const;

/** The entry of a file in the manifest of its release: in its folder, or in the folder above for `download/`. */
async function listedFile(path: string) {
  const { size } = await stat(path);
  const parent = dirname(path);
  const places = [
    { dir: parent, name: basename(path) },
    { dir: dirname(parent), name: `${basename(parent)}/${basename(path)}` },
  ];
  for (const { dir, name } of places) {
    const manifest = await readManifestFile(join(dir, MANIFEST)).catch((error: unknown) => {
      if (error instanceof ReleaseError) return undefined;
      throw error;
    });
    const file = manifest?.files.find((file) => file.name === name && file.sizeBytes === size);
    if (manifest && file) return { release: manifest.id, terms: file.terms, attributions: file.attributions };
  }
  return undefined;
}

/** Text of a description or an attribution must not end a comment line. */
function oneLine(text: string): string {
  return text.replace(/[\p{Cc}\p{Zl}\p{Zp}]+/gu, ' ').trim();
}
