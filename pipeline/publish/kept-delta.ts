import { createHash } from 'node:crypto';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import { z } from 'zod';
import { applyDelta } from '../changes/apply-delta.js';
import { changeRows } from '../changes/change-rows.js';
import { ChangesError } from '../changes/changes-error.js';
import { FORMAT_VERSION, readDeltaHeader } from '../changes/delta-file.js';
import { compareFiles, encodeChanges, type DeltaSubject } from '../changes/make-delta.js';
import { encodeSchema } from '../changes/schema-text.js';
import { keptResult } from '../datasets/kept-result.js';
import { ISP_SCHEMA } from '../isp/isp-record.js';
import { CITY_SCHEMA } from '../merge/city-record.js';
import { MmdbError } from '../mmdb/mmdb-error.js';
import type { Schema } from '../mmdb/schema.js';
import { WRITER_VERSION } from '../mmdb/write.js';
import type { ManifestFile } from '../release/contract.js';
import { deltaSchema } from '../release/derived-files.js';
import { verifyFile } from '../release/verify-release.js';
import { ASN_SCHEMA } from '../routing/asn-records.js';
import { cacheDir } from '../store/kept-folder.js';

/** The datasets whose files for download have deltas. */
export const DELTA_DATASETS = ['geo', 'asn', 'isp'] as const;
export type DeltaDataset = (typeof DELTA_DATASETS)[number];

/** The schemas of the records of the files. */
const SCHEMAS: Readonly<Record<DeltaDataset, Schema>> = {
  geo: CITY_SCHEMA,
  asn: ASN_SCHEMA,
  isp: ISP_SCHEMA,
};

/** Raised with every change of the deltas or their rows for equal files that the format's version does not show. */
const DELTA_VERSION = 1;

/** A file for download of the last release, and the new one. */
export interface FilePair {
  readonly dataset: DeltaDataset;
  readonly old: LocatedFile;
  readonly now: LocatedFile;
}

/** A file of a dataset, in a folder. */
export interface LocatedFile {
  readonly dir: string;
  readonly file: ManifestFile;
}

/** The delta and its rows. Their names are relative to the kept folder, and to a release. */
const madeSchema = z.strictObject({ delta: deltaSchema.omit({ serial: true }) });
const writtenSchema = z.union([madeSchema, z.strictObject({ reason: z.string() })]);
type Written = z.infer<typeof writtenSchema>;

/** A delta in a folder of the cache. */
export type MadeDelta = z.infer<typeof madeSchema> & { readonly dir: string };

/** A delta, or why there is none. */
export type KeptDelta = MadeDelta | { readonly reason: string };

/** Returns the name of the file for download of a dataset. */
export function downloadOf(dataset: DeltaDataset): string {
  return `download/${dataset}.mmdb`;
}

/** Returns the file of a list that is a dataset's file for download. */
export function downloadIn(files: readonly ManifestFile[], dataset: DeltaDataset): ManifestFile | undefined {
  return files.find(({ name }) => name === downloadOf(dataset));
}

/**
 * Returns the largest size of a delta, and of all deltas together: an eighth of the file, which is about a quarter of its
 * compressed size. A header alone may exceed that for small files.
 */
export function limitOf({ sizeBytes }: Pick<ManifestFile, 'sizeBytes'>): number {
  return Math.max(sizeBytes / 8, Math.min(sizeBytes, 8192));
}

/**
 * Makes the delta between two files and applies it once, or finds it in the cache of this machine, where it is kept until
 * the release is published. Throws ReleaseError when the old file is damaged.
 */
export async function keptDelta(
  pair: FilePair,
  { outputDir, log }: { readonly outputDir: string; readonly log: (line: string) => void },
): Promise<KeptDelta> {
  const { dataset, old, now } = pair;
  const kept = await keptResult(
    {
      name: `changes-${dataset}`,
      made: [
        `delta ${DELTA_VERSION} ${FORMAT_VERSION}`,
        `writer ${WRITER_VERSION}`,
        `schema ${JSON.stringify(encodeSchema(SCHEMAS[dataset]))}`,
        `from ${old.file.sha256}`,
        `to ${now.file.sha256}`,
      ],
      result: writtenSchema,
      write: (dir) => writeDelta(pair, dir),
    },
    // Only this machine needs it: the store receives the files with the release.
    { settings: { outputDir }, log },
  );
  return { ...kept.result, dir: join(cacheDir(outputDir), kept.folder) };
}

async function writeDelta(pair: FilePair, dir: string): Promise<Written> {
  const { old, now } = pair;
  await verifyFile(join(old.dir, old.file.name), old.file);
  try {
    const subject = await readPair(pair);
    const compared = compareFiles(subject);
    const delta = encodeChanges(compared);
    if (delta.length > limitOf(now.file))
      return { reason: `the delta has ${delta.length} bytes, the file ${now.file.sizeBytes}` };
    const rows = await compress(changeRows(compared));
    applyDelta(subject.old.bytes, delta, () => undefined);
    return { delta: await writeFiles(dir, pair, { delta, rows }) };
  } catch (error) {
    if (!(error instanceof ChangesError || error instanceof MmdbError)) throw error;
    return { reason: error.message };
  }
}

const compress = promisify(gzip);

async function readPair({ dataset, old, now }: FilePair): Promise<DeltaSubject> {
  const read = async ({ dir, file: { name, sha256, sizeBytes } }: LocatedFile) => {
    return { bytes: await readFile(join(dir, name)), sha256, sizeBytes };
  };
  return { dataset, schema: SCHEMAS[dataset], old: await read(old), new: await read(now) };
}

interface Made {
  readonly delta: Buffer;
  readonly rows: Buffer;
}

async function writeFiles(
  dir: string,
  { dataset, old: { file: old }, now: { file: now } }: FilePair,
  { delta, rows }: Made,
): Promise<MadeDelta['delta']> {
  const stem = `changes/${dataset}-${old.sha256.slice(0, 12)}-${now.sha256.slice(0, 12)}`;
  await mkdir(join(dir, 'changes'), { recursive: true });
  const described = async (name: string, bytes: Buffer) => {
    await writeFile(join(dir, name), bytes, { flush: true });
    return { name, sizeBytes: bytes.length, sha256: createHash('sha256').update(bytes).digest('hex') };
  };
  return {
    ...(await described(`${stem}.delta`, delta)),
    from: { sha256: old.sha256, sizeBytes: old.sizeBytes },
    to: { sha256: now.sha256, sizeBytes: now.sizeBytes },
    changes: readDeltaHeader(delta).changes,
    rows: await described(`${stem}.csv.gz`, rows),
  };
}
