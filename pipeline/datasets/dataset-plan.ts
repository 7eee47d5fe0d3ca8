import { z } from 'zod';
import {
  DATASETS,
  indexFileSchema,
  inputSchema,
  type ManifestIndex,
  type ManifestInput,
} from '../release/contract.js';
import { scorecardSchema, type Scorecard } from '../release/scorecard.js';
import { DESCRIPTION_VERSION } from '../release/dataset-terms.js';
import { sha256Text } from '../release/digest.js';
import type { IngestResult } from '../ingest/ingest-source.js';
import type { BuildSettings } from '../stage/settings.js';
import { compiledFileSchema, type CompiledFile, type Draft } from './write-dataset.js';

/** A dataset before its compilation: its inputs are known, nothing has been read yet. */
export interface DatasetPlan {
  /** Equal keys mean equal files (except the build epoch). */
  readonly key: string;
  readonly inputs: readonly ManifestInput[];
  /** The dataset of the last release, or `nothing`, if an earlier job has looked for it. */
  readonly found?: CompileResult | 'nothing';
  /** Writes the files into the draft's folder. */
  compile(draft: Draft): Promise<CompiledDataset>;
}

/** Files of a dataset and counters of its compilation. */
export interface CompiledDataset {
  readonly files: readonly CompiledFile[];
  readonly indexes: readonly ManifestIndex[];
  readonly counters: Readonly<Record<string, number>>;
  /** The accuracy against the statements of operators; absent without any. */
  readonly scorecard?: Scorecard | undefined;
  /** The inputs of the plan, extended with facts found during compilation. */
  readonly inputs: readonly ManifestInput[];
}

/** The result of a compile job: a dataset's part of the manifest. `locateDataset` finds its files. */
export const compileResultSchema = z.strictObject({
  dataset: z.enum(DATASETS),
  key: z.string(),
  /** Id of the last release if it contains this dataset unchanged. */
  unchanged: z.string().exactOptional(),
  inputs: z.array(inputSchema),
  files: z.array(compiledFileSchema),
  indexes: z.array(indexFileSchema),
  counters: z.record(z.string(), z.number()),
  scorecard: scorecardSchema.exactOptional(),
});
export type CompileResult = z.infer<typeof compileResultSchema>;

/**
 * Returns the key of a dataset from its normalised inputs, their licences and the feeds for download. `versions` are
 * the versions of the code and of any other input.
 */
export function keyOfDataset(
  versions: readonly string[],
  ingests: readonly IngestResult[],
  { datasetFeeds }: Pick<BuildSettings, 'datasetFeeds'>,
): string {
  const read = ingests.map(({ input, kept }) => `${input.feed} ${kept?.key ?? 'nothing'}`);
  const licences = ingests.map(({ input }) => licenceLine(input));
  const chosen = ingests.map(({ input }) => input.feed).filter((id) => datasetFeeds.includes(id));
  const made = [...versions, `description ${DESCRIPTION_VERSION}`, `download ${chosen.sort().join(' ')}`];
  return sha256Text([...made, ...read, ...licences].join('\n'));
}

/** Returns a line of a dataset's key: the licence is part of the manifest, so a new licence makes a new dataset. */
export function licenceLine({ feed, licence }: ManifestInput): string {
  return `licence ${feed} ${JSON.stringify(licence)}`;
}
