import { z } from 'zod';
import { locateDataset } from '../datasets/dataset-folder.js';
import { compileResultSchema } from '../datasets/dataset-plan.js';
import { writtenGeoSchema } from '../datasets/geo-write.js';
import { requireKept } from '../datasets/kept-result.js';
import { lastRelease } from '../release/last-release.js';
import { KEPT_RELEASES } from '../release/prune-releases.js';
import { ReleaseError } from '../release/release-store.js';
import type { Stage, StageContext } from '../stage/stage.js';
import {
  DELTA_DATASETS,
  downloadIn,
  downloadOf,
  keptDelta,
  type DeltaDataset,
  type LocatedFile,
} from './kept-delta.js';

/**
 * Makes the delta from the last release's file for download to tonight's, before the release is complete: publish finds
 * it in the cache. Does nothing if there is nothing to compare. What prevents a delta is reported by publish.
 */
export const findChanges: Stage = async (input, context) => {
  const { dataset } = z.strictObject({ dataset: z.enum(DELTA_DATASETS) }).parse(input);
  const { outputDir, keepReleases = KEPT_RELEASES } = context.settings;
  const { release } = await lastRelease(outputDir);
  const old = release && downloadIn(release.manifest.files, dataset);
  if (!release || !old || keepReleases < 2) return {};
  const now = await newFile(dataset, context);
  if (!now || now.file.sha256 === old.sha256) return {};
  context.progress({ text: `comparing with ${release.id}` });
  try {
    await keptDelta({ dataset, old: { dir: release.dir, file: old }, now }, { outputDir, log: context.log });
  } catch (error) {
    if (!(error instanceof ReleaseError)) throw error;
  }
  return {};
};

/** Returns tonight's file for download of a dataset; undefined if there is none, or if it is that of the last release. */
async function newFile(dataset: DeltaDataset, context: StageContext): Promise<LocatedFile | undefined> {
  const { children } = context;
  if (dataset === 'geo') {
    const { made } = writtenGeoSchema.parse(children['write:download']);
    return made && { dir: await requireKept(made.folder, context), file: made.file.file };
  }
  const result = compileResultSchema.parse(children[COMPILED_BY[dataset]]);
  const file = downloadIn(
    result.files.map((compiled) => compiled.file),
    dataset,
  );
  if (!file || result.unchanged !== undefined) return undefined;
  const { dir } = await locateDataset(result, context, (name) => name === downloadOf(dataset));
  return { dir, file };
}

/** The jobs that write the files. */
const COMPILED_BY = { asn: 'compile:routing', isp: 'compile:isp' } as const;
