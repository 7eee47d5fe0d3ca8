import { mkdir, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { z } from 'zod';
import {
  DATASETS,
  filesOfRelease,
  manifestSchema,
  refusalSchema,
  type Gate,
  type Manifest,
  type ManifestDataset,
  type ManifestInput,
  type ManifestRefusal,
} from '../release/contract.js';
import { sha256Text } from '../release/digest.js';
import { acceptGates, isAcceptable } from '../release/gate-names.js';
import { failedGates, judgeRelease } from '../release/gates.js';
import { lastRelease } from '../release/last-release.js';
import { linkFile } from '../release/link-file.js';
import { publishRelease } from '../release/publish-release.js';
import { ReleaseError, releaseId, releasesDir, UNFINISHED, type Release } from '../release/release-store.js';
import { verifyNames } from '../release/verify-release.js';
import { compileResultSchema, type CompileResult } from './dataset-plan.js';
import { checkRegions } from './check-regions.js';
import { joinExaminations } from './examine.js';
import { tellKept, withLastServices } from './kept-services.js';
import { LISTS } from './lists.js';
import { withOwnWord } from './own-word.js';
import { pruneCache } from './prune-cache.js';
import { buildEpochOf } from './settings.js';
import { seriesOf } from './sources.js';
import type { Stage, StageContext } from './stage.js';

/** What a build came to. */
export const buildResultSchema = z.strictObject({
  /** The release that `current` points to now. */
  id: z.string(),
  /** False when the current release was made from the same inputs already. */
  published: z.boolean(),
  /** Files that this night brought and the build did not use. */
  refusals: z.array(refusalSchema),
  /** What was wrong with tonight's services: those of the last release are published again. */
  keptServices: z.string().exactOptional(),
});
export type BuildResult = z.infer<typeof buildResultSchema>;

/** A release that did not pass a gate: nothing was published, the last release still serves. */
export class GateError extends Error {
  override readonly name = 'GateError';

  constructor(gates: readonly Gate[]) {
    const lines = gates.map(({ name, found, bound }) => `gate "${name}": ${found}; it must be: ${bound}`);
    const advice = gates.every(isAcceptable)
      ? 'Look at it, then build again with --accept "<gate>" if it is right'
      : 'A dataset that its own verifier refuses cannot be accepted by hand';
    super(`not published, ${lines.join('. ')}. ${advice}`);
  }
}

/**
 * Holds what was compiled against the gates and publishes it, unless the current release is all of it. Throws
 * GateError when one of the gates says no.
 */
export const publish: Stage = async (_input, context) => {
  const { settings, progress } = context;
  const { outputDir, keepReleases } = settings;
  const datasets = DATASETS.flatMap((dataset): CompileResult[] => {
    const result = context.children[`compile:${dataset}`];
    return result === undefined ? [] : [compileResultSchema.parse(result)];
  });
  const refusals = refusedFiles(datasets.flatMap(({ inputs }) => inputs));
  const buildKey = keyOf(datasets, refusals);
  const current = await unchangedRelease(datasets, buildKey, context);
  if (current) return { id: current.id, published: false, refusals } satisfies BuildResult;
  progress({ text: 'checking gates' });
  const { manifest: passed, chosen, keptServices } = await passGates(datasets, context);
  const regions = await checkRegions(chosen);
  const manifest = regions === undefined ? passed : { ...passed, regions };
  const workDir = join(releasesDir(outputDir), `${UNFINISHED}${manifest.id}`);
  await assemble(workDir, chosen);
  const keep = keepReleases === undefined ? {} : { keep: keepReleases };
  const { id, alreadyThere } = await publishRelease({ outputDir, manifest, workDir, ...keep });
  if (alreadyThere) await rm(workDir, { recursive: true, force: true });
  for (const { dir, unchanged } of datasets) {
    if (unchanged === undefined) await rm(dir, { recursive: true, force: true });
  }
  await pruneCache(outputDir);
  progress({ text: id });
  const told = keptServices === undefined ? {} : { keptServices };
  return { id, published: true, refusals, ...told } satisfies BuildResult;
};

/** A release that may go out, and the datasets that it is made of. */
interface Passed {
  readonly manifest: Manifest;
  readonly chosen: readonly CompileResult[];
  readonly keptServices?: string;
}

/** Tonight's datasets, or if their services alone are at fault the others. Throws GateError. */
async function passGates(datasets: readonly CompileResult[], context: StageContext): Promise<Passed> {
  const manifest = await describeRelease(datasets, context);
  const failed = failedGates(manifest.gates);
  if (failed.length === 0) return { manifest, chosen: datasets };
  const chosen = await withLastServices(datasets, context);
  const other = chosen && (await describeRelease(chosen, context));
  if (!other || failedGates(other.gates).length > 0) throw new GateError(failed);
  const last = chosen.find(({ dataset }) => dataset === 'isp')!.unchanged!;
  const found = failed.map((gate) => `gate "${gate.name}": ${gate.found}`).join('. ');
  const keptServices = `${found}. The services of ${last} are kept`;
  context.log(keptServices);
  return { manifest: { ...other, gates: tellKept(other.gates, failed, last) }, chosen, keptServices };
}

/**
 * Equal keys, equal releases (but for the build epoch). Refusals are part of it: they change no dataset, but a night
 * with and one without are two releases.
 */
function keyOf(datasets: readonly CompileResult[], refusals: readonly ManifestRefusal[]): string {
  const made = datasets.map(({ dataset, key }) => `${dataset} ${key}`);
  const refused = refusals.map((refusal) => `refused ${JSON.stringify(refusal)}`);
  return sha256Text([...made, ...refused].join('\n'));
}

/** The current release if it is all that was compiled, and nothing else; asked for a date, it must have that date. */
async function unchangedRelease(
  datasets: readonly CompileResult[],
  buildKey: string,
  { settings, log }: StageContext,
): Promise<Release | undefined> {
  if (datasets.some(({ unchanged }) => unchanged === undefined)) return undefined;
  const { release } = await lastRelease(settings.outputDir);
  if (release?.manifest.buildKey !== buildKey) return undefined;
  const { sourceDateEpoch } = settings;
  if (sourceDateEpoch !== undefined && sourceDateEpoch !== release.manifest.buildEpoch) return undefined;
  try {
    await verifyNames(release.dir, filesOfRelease(release.manifest));
  } catch (error) {
    if (!(error instanceof ReleaseError)) throw error;
    log(`the current release is damaged, a new one is built: ${error.message}`);
    return undefined;
  }
  return release;
}

/** Puts the files of all datasets into one folder. They stay where they are as well: a killed run begins anew. */
async function assemble(workDir: string, datasets: readonly CompileResult[]): Promise<void> {
  await rm(workDir, { recursive: true, force: true });
  await mkdir(workDir, { recursive: true });
  for (const dataset of datasets) {
    for (const name of namesOf(dataset)) {
      const path = join(workDir, name);
      await mkdir(dirname(path), { recursive: true });
      await linkFile(join(dataset.dir, name), path);
    }
  }
}

function namesOf({ files, indexes }: CompileResult): string[] {
  return [...files.map(({ file }) => file), ...indexes].map(({ name }) => name);
}

/** Every refusal once: several inputs may be made from the same file. */
function refusedFiles(inputs: readonly ManifestInput[]): ManifestRefusal[] {
  const distinct = new Map<string, ManifestRefusal>();
  for (const { refusals } of inputs) {
    for (const refusal of refusals) distinct.set(JSON.stringify(refusal), refusal);
  }
  return [...distinct.values()];
}

async function describeRelease(
  compiled: readonly CompileResult[],
  { settings, log }: StageContext,
): Promise<Manifest> {
  const buildEpoch = buildEpochOf(settings);
  const buildKey = keyOf(compiled, refusedFiles(compiled.flatMap(({ inputs }) => inputs)));
  const made = (await Promise.all(compiled.map(withOwnWord))).flat();
  const files = made.map(({ file }) => file);
  const indexes = compiled.flatMap((dataset) => dataset.indexes);
  const { tree, schema, canaries } = joinExaminations(made);
  for (const { ip, found, excuse } of canaries) if (excuse !== undefined) log(`${ip}: ${found}, ${excuse}`);
  const source = settings.source === undefined ? {} : { source: settings.source };
  const parts = {
    ...source,
    datasets: Object.fromEntries(compiled.map((dataset) => [dataset.dataset, describeDataset(dataset)])),
    inputs: compiled.flatMap((dataset) => dataset.inputs),
    files,
    ...(indexes.length > 0 && { indexes }),
  };
  const last = (await lastRelease(settings.outputDir)).release?.manifest;
  const judged = judgeRelease({ ...parts, tree, schema, seriesOf, lists: LIST_IDS }, last, canaries);
  const gates = acceptGates(judged, settings.acceptedGates ?? []);
  const id = releaseId(buildEpoch, buildKey);
  return manifestSchema.parse({ schema: 1, id, buildEpoch, generator: GENERATOR, buildKey, ...parts, gates });
}

function describeDataset(compiled: CompileResult): ManifestDataset {
  const { key, counters } = compiled;
  return { key, files: namesOf(compiled), counters };
}

const GENERATOR = 'ipatlas';
const LIST_IDS: ReadonlySet<string> = new Set(LISTS.map(({ id }) => id));
