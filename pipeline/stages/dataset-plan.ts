import { z } from 'zod';
import {
  DATASETS,
  indexFileSchema,
  inputSchema,
  type ManifestIndex,
  type ManifestInput,
} from '../release/contract.js';
import { sha256Text } from '../release/digest.js';
import type { IngestResult } from './ingest.js';
import type { BuildSettings } from './settings.js';
import { compiledFileSchema, type CompiledFile, type Draft } from './write-dataset.js';

/** A dataset that may be compiled: what it would be made of is known, nothing has been read yet. */
export interface DatasetPlan {
  /** Equal keys, equal files (but for the build epoch). */
  readonly key: string;
  readonly inputs: readonly ManifestInput[];
  /** Writes the files into the draft's folder. */
  compile(draft: Draft): Promise<CompiledDataset>;
}

/** Files of a dataset, and what was counted on the way to them. */
export interface CompiledDataset {
  readonly files: readonly CompiledFile[];
  readonly indexes: readonly ManifestIndex[];
  readonly counters: Readonly<Record<string, number>>;
  /** The plan's, with what has been found out about them. */
  readonly inputs: readonly ManifestInput[];
}

/** What a compile job answers with: a dataset's part of the manifest, and where its files lie. */
export const compileResultSchema = z.strictObject({
  dataset: z.enum(DATASETS),
  key: z.string(),
  /** Id of the current release, which holds this very dataset; `dir` is its folder then. */
  unchanged: z.string().exactOptional(),
  dir: z.string(),
  inputs: z.array(inputSchema),
  files: z.array(compiledFileSchema),
  indexes: z.array(indexFileSchema),
  counters: z.record(z.string(), z.number()),
});
export type CompileResult = z.infer<typeof compileResultSchema>;

/**
 * The key of what is made of these readings, for others to download too; `versions` are those of the code that makes
 * it, and whatever else it is made of.
 */
export function keyOfDataset(
  versions: readonly string[],
  ingests: readonly IngestResult[],
  { datasetFeeds }: Pick<BuildSettings, 'datasetFeeds'>,
): string {
  const read = ingests.map(({ input, kept }) => `${input.feed} ${kept?.key ?? 'nothing'}`);
  const licences = ingests.map(({ input }) => licenceLine(input));
  const chosen = ingests.map(({ input }) => input.feed).filter((id) => datasetFeeds.includes(id));
  return sha256Text([...versions, `download ${chosen.sort().join(' ')}`, ...read, ...licences].join('\n'));
}

/** A line of a dataset's key: what a licence asks stands in the manifest beside the file. */
export function licenceLine({ feed, licence }: ManifestInput): string {
  return `licence ${feed} ${JSON.stringify(licence)}`;
}
