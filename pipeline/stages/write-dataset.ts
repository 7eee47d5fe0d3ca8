import { mkdir } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { z } from 'zod';
import type { Schema } from '../mmdb/schema.js';
import { writeMmdb, type RecordList } from '../mmdb/write.js';
import { datasetFileSchema, type ManifestFile } from '../release/contract.js';
import { termsOfFile, type LicensedSource } from '../release/dataset-terms.js';
import type { FlatTable } from '../table/flat-table.js';
import { measureCoverage, type Origin } from './coverage.js';
import { examinationSchema, examine, type Examination } from './examine.js';

/** A file of the release that is being compiled, as the manifest tells it, and what was found in it. */
export const compiledFileSchema = z.strictObject({ file: datasetFileSchema, examination: examinationSchema });
export interface CompiledFile {
  readonly file: ManifestFile;
  readonly examination: Examination;
}

/** What a file is called and what it is. */
export interface DatasetDescription {
  readonly name: string;
  readonly kind: ManifestFile['kind'];
  readonly databaseType: string;
  readonly description: Readonly<Record<string, string>>;
  readonly languages: readonly string[];
  readonly schema: Schema;
  /** 4 for keys of 32 bits; 6, for addresses of both families, by default. */
  readonly ipVersion?: 4 | 6;
  /** Whose data it is made of. */
  readonly sources: readonly LicensedSource[];
}

/** What goes into it: records and where they came from, by the table's ids. */
export interface DatasetContent {
  readonly table: FlatTable;
  readonly records: RecordList;
  /** Absent where no feed decides and no country is meant: its space is then counted as a whole. */
  readonly origins?: readonly Origin[];
}

/** Where files are written and when "now" is. */
export interface Draft {
  readonly workDir: string;
  /** Seconds since 1970. */
  readonly buildEpoch: number;
}

/** Writes a dataset into the work folder, reads it back and describes it. */
export async function writeDataset(
  { workDir, buildEpoch }: Draft,
  about: DatasetDescription,
  { table, records, origins }: DatasetContent,
): Promise<CompiledFile> {
  const path = join(workDir, about.name);
  await mkdir(dirname(path), { recursive: true });
  const { name, kind, databaseType, description, languages, schema, sources, ipVersion = 6 } = about;
  const header = { databaseType, description, languages, ipVersion, buildEpoch } as const;
  const written = writeMmdb(path, { table, records, schema, ...header });
  const examination = await examine(path, schema);
  const { terms, attributions } = termsOfFile(sources);
  const file: ManifestFile = {
    name,
    kind,
    sources: sources.map(({ id }) => id),
    terms,
    attributions: [...attributions],
    databaseType,
    ...written,
    ipVersion,
    languages: [...languages],
    buildEpoch,
    ...measureCoverage(table, origins),
  };
  return { file, examination };
}
