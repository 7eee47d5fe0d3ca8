import { mkdir } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { z } from 'zod';
import type { Schema } from '../mmdb/schema.js';
import { writeMmdb, type RecordList } from '../mmdb/write.js';
import { datasetFileSchema, type ManifestFile } from '../release/contract.js';
import { describeTerms, termsOfFile, type LicensedSource } from '../release/dataset-terms.js';
import type { FlatTable } from '../table/flat-table.js';
import { measureCoverage, type OriginList } from './coverage.js';
import { examinationSchema, examine, type Examination } from './examine.js';

/** A compiled file: its manifest entry and its examination. */
export const compiledFileSchema = z.strictObject({ file: datasetFileSchema, examination: examinationSchema });
export interface CompiledFile {
  readonly file: ManifestFile;
  readonly examination: Examination;
}

/** Name, kind and metadata of a dataset file. */
export interface DatasetDescription {
  readonly name: string;
  readonly kind: ManifestFile['kind'];
  readonly databaseType: string;
  readonly description: Readonly<Record<string, string>>;
  readonly languages: readonly string[];
  readonly schema: Schema;
  /** 4 for 32-bit keys. Default: 6, for addresses of both families. */
  readonly ipVersion?: 4 | 6;
  /** Sources of the data, with licences. */
  readonly sources: readonly LicensedSource[];
}

/** Content of a dataset: records and their origins by the table's record ids. */
export interface DatasetContent {
  readonly table: FlatTable;
  readonly records: RecordList;
  /** Absent for datasets without feeds and countries. Only the total coverage is counted then. */
  readonly origins?: OriginList;
}

/** The folder for files and the build epoch. */
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
  const terms = termsOfFile(sources);
  const header = { databaseType, languages, ipVersion, buildEpoch } as const;
  const described = { ...header, description: describeTerms(description, terms) };
  const written = writeMmdb(path, { table, records, schema, ...described });
  const examination = await examine(path, schema);
  const file: ManifestFile = {
    name,
    kind,
    sources: sources.map(({ id }) => id),
    terms: terms.terms,
    attributions: [...terms.attributions],
    databaseType,
    ...written,
    ipVersion,
    languages: [...languages],
    buildEpoch,
    ...measureCoverage(table, origins),
  };
  return { file, examination };
}
