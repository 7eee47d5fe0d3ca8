import { mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import { DATASETS, type Dataset } from '../release/contract.js';
import { AT_ONCE } from '../store/remote-tier.js';
import { atMost } from '../store/at-most.js';
import { filesOfDataset, workDirOf } from './dataset-folder.js';
import type { CompileResult, DatasetPlan } from './dataset-plan.js';
import { buildEpochOf } from '../stage/settings.js';
import type { Stage, StageContext } from '../stage/stage.js';
import { unchangedDataset } from './unchanged-dataset.js';

/**
 * Compiles one dataset into a work folder beside the releases, and uploads its files to the store. If the current release has an identical dataset,
 * compiles nothing, and publish links its files.
 */
export const compile: Stage = async (input, context) => {
  const { dataset } = z.strictObject({ dataset: z.enum(DATASETS) }).parse(input);
  const planOf = await PLANS[dataset]();
  const plan = await planOf(context);
  const found = plan.found ?? (await unchangedDataset(dataset, plan, context)) ?? 'nothing';
  return found === 'nothing' ? compileAnew(dataset, plan, context) : found;
};

type PlanDataset = (context: StageContext) => DatasetPlan | Promise<DatasetPlan>;

/** Loaders of the plans. A thread loads only the plan that it needs. */
const PLANS: Readonly<Record<Dataset, () => Promise<PlanDataset>>> = {
  geo: async () => (await import('./compile-geo.js')).planGeo,
  routing: async () => (await import('./compile-routing.js')).planRouting,
  isp: async () => (await import('./compile-isp.js')).planIsp,
};

async function compileAnew(
  dataset: Dataset,
  plan: DatasetPlan,
  { settings, remote }: StageContext,
): Promise<CompileResult> {
  const { key } = plan;
  const dir = workDirOf(settings.outputDir, { dataset, key });
  await rm(dir, { recursive: true, force: true });
  await mkdir(dir, { recursive: true });
  const compiled = await plan.compile({ workDir: dir, buildEpoch: buildEpochOf(settings) });
  const { files, indexes, counters, inputs, scorecard } = compiled;
  const result: CompileResult = {
    dataset,
    key,
    inputs: [...inputs],
    files: [...files],
    indexes: [...indexes],
    counters: { ...counters },
    ...(scorecard && { scorecard }),
  };
  if (remote)
    await atMost(AT_ONCE, filesOfDataset(result), (file) => remote.push(join(dir, file.name), file));
  return result;
}
