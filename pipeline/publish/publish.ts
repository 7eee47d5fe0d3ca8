import { mkdir, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { z } from 'zod';
import {
  DATASETS,
  manifestSchema,
  refusalSchema,
  type Gate,
  type Manifest,
  type ManifestDataset,
  type ManifestInput,
  type ManifestRefusal,
} from '../release/contract.js';
import { sha256Text } from '../release/digest.js';
import { EDITIONS_VERSION } from '../release/editions.js';
import { acceptGates, isAcceptable } from '../release/gate-names.js';
import { failedGates, judgeRelease } from '../release/gates.js';
import { lastRelease } from '../release/last-release.js';
import { linkFile } from '../release/link-file.js';
import { publishRelease } from '../release/publish-release.js';
import { releaseId, releasesDir, UNFINISHED } from '../release/release-store.js';
import { compileResultSchema, type CompileResult } from '../datasets/dataset-plan.js';
import { filesOfDataset, locateDataset, workDirOf, type LocatedDataset } from '../datasets/dataset-folder.js';
import { addEditions } from '../release/add-editions.js';
import { addChanges } from './add-changes.js';
import { checkVantagePoints } from './check-vantage-points.js';
import { countChanges } from './count-changes.js';
import { joinExaminations } from '../datasets/examine.js';
import { explainKeptIsp, withLastIsp } from './kept-isp.js';
import { LISTS } from '../lists/catalogue.js';
import { withExcusedCanaries } from './excused-canaries.js';
import { pruneCache } from '../ingest/prune-cache.js';
import { buildEpochOf, type BuildSettings } from '../stage/settings.js';
import { seriesOf } from '../snapshot/sources.js';
import type { Stage, StageContext } from '../stage/stage.js';
import { unchangedRelease } from './unchanged-release.js';
import { countToKeep } from '../release/count-to-keep.js';

/** The result of a build. */
export const buildResultSchema = z.strictObject({
  /** Id of the release of tonight's inputs. `current` points to it unless `held` names another one. */
  id: z.string(),
  /** False if a release with the same inputs exists: the current one, or under a pin any kept one. */
  published: z.boolean(),
  /** Files that were refused tonight. */
  refusals: z.array(refusalSchema),
  /** Why tonight's ISP dataset was replaced by that of the last release. */
  keptIsp: z.string().exactOptional(),
  /** Id of the pinned release that stays current. */
  held: z.string().exactOptional(),
});
export type BuildResult = z.infer<typeof buildResultSchema>;

/** A release failed a gate. Nothing was published; the last release stays current. */
export class GateError extends Error {
  override readonly name = 'GateError';

  constructor(gates: readonly Gate[]) {
    const lines = gates.map(({ name, found, bound }) => `gate "${name}": ${found}; required: ${bound}`);
    const advice = gates.every(isAcceptable)
      ? 'If this is correct, build again with --accept "<gate>"'
      : 'A dataset that fails its verifier cannot be accepted';
    super(`not published: ${lines.join('. ')}. ${advice}`);
  }
}

/**
 * Checks the compiled datasets against the gates and publishes them, unless the current release is identical. Throws
 * GateError if a gate fails.
 */
export const publish: Stage = async (_input, context) => {
  const { settings, progress } = context;
  const { outputDir } = settings;
  const compiled = DATASETS.flatMap((dataset): CompileResult[] => {
    const result = context.children[`compile:${dataset}`];
    return result === undefined ? [] : [compileResultSchema.parse(result)];
  });
  const refusals = refusedFiles(compiled.flatMap(({ inputs }) => inputs));
  const buildKey = keyOf(compiled, refusals);
  const unchanged = await unchangedRelease(compiled, buildKey, context);
  if (unchanged) return { ...unchanged, published: false, refusals } satisfies BuildResult;
  const datasets = await Promise.all(compiled.map((dataset) => locateDataset(dataset, context)));
  progress({ text: 'checking gates' });
  const { manifest: passed, chosen, keptIsp } = await passGates(datasets, context);
  // The networks of the sample data are invented: they confirm no region and contradict none.
  const regions = settings.source === 'fixtures' ? undefined : await checkVantagePoints(chosen);
  const changes = await countChanges(chosen, passed, context);
  const found = { ...(regions && { regions }), ...(changes && { changes }) };
  const workDir = join(releasesDir(outputDir), `${UNFINISHED}${passed.id}`);
  await assemble(workDir, chosen);
  progress({ text: 'making editions' });
  const described = await addEditions({ ...passed, ...found }, workDir);
  const keep = { keep: await countToKeep(outputDir, settings, passed.buildEpoch) };
  progress({ text: 'linking changes' });
  const base = (await lastRelease(outputDir)).release;
  const manifest = await addChanges({
    outputDir,
    workDir,
    manifest: described,
    base,
    ...keep,
    log: context.log,
  });
  const { id, alreadyThere, held } = await publishRelease({ outputDir, manifest, workDir, ...keep });
  if (alreadyThere) await rm(workDir, { recursive: true, force: true });
  await tidy(datasets, context);
  progress({ text: id });
  const kept = { ...(keptIsp !== undefined && { keptIsp }), ...(held !== undefined && { held }) };
  return { id, published: true, refusals, ...kept } satisfies BuildResult;
};

/** Removes what the published release no longer needs. A failure does not fail the build. */
async function tidy(
  datasets: readonly LocatedDataset[],
  { settings: { outputDir }, log }: StageContext,
): Promise<void> {
  try {
    for (const dataset of datasets) await rm(workDirOf(outputDir, dataset), { recursive: true, force: true });
    await pruneCache(outputDir);
  } catch (error) {
    log(`the cache was not cleaned: ${error instanceof Error ? error.message : String(error)}`);
  }
}

/** A release that passed the gates, and its datasets. */
interface Passed {
  readonly manifest: Manifest;
  readonly chosen: readonly LocatedDataset[];
  readonly keptIsp?: string;
}

/** Returns tonight's datasets, or those with the last ISP dataset if only the ISP dataset fails. Throws GateError. */
async function passGates(datasets: readonly LocatedDataset[], context: StageContext): Promise<Passed> {
  const manifest = await describeRelease(datasets, context);
  const failed = failedGates(manifest.gates);
  if (failed.length === 0) return { manifest, chosen: datasets };
  const chosen = await withLastIsp(datasets, context);
  const other = chosen && (await describeRelease(chosen, context));
  if (!other || failedGates(other.gates).length > 0) throw new GateError(failed);
  const last = chosen.find(({ dataset }) => dataset === 'isp')!.unchanged!;
  const found = failed.map((gate) => `gate "${gate.name}": ${gate.found}`).join('. ');
  const keptIsp = `${found}. The ISP dataset of ${last} is kept`;
  context.log(keptIsp);
  return { manifest: { ...other, gates: explainKeptIsp(other.gates, failed, last) }, chosen, keptIsp };
}

/**
 * Returns the build key: equal keys mean equal releases (except the build epoch). Refusals are part of the key, so
 * builds with and without refusals are different releases.
 */
function keyOf(datasets: readonly CompileResult[], refusals: readonly ManifestRefusal[]): string {
  const made = datasets.map(({ dataset, key }) => `${dataset} ${key}`);
  const refused = refusals.map((refusal) => `refused ${JSON.stringify(refusal)}`);
  return sha256Text([...made, `editions ${EDITIONS_VERSION}`, ...refused].join('\n'));
}

/** Links the files of all datasets into one folder. The originals stay, because a killed run starts again from them. */
async function assemble(workDir: string, datasets: readonly LocatedDataset[]): Promise<void> {
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

function namesOf(compiled: CompileResult): string[] {
  return filesOfDataset(compiled).map(({ name }) => name);
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
  compiled: readonly LocatedDataset[],
  { settings, log }: StageContext,
): Promise<Manifest> {
  const buildEpoch = buildEpochOf(settings);
  const buildKey = keyOf(compiled, refusedFiles(compiled.flatMap(({ inputs }) => inputs)));
  const made = (await Promise.all(compiled.map(withExcusedCanaries))).flat();
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
  return manifestSchema.parse({
    ...{ schema: 1, id, buildEpoch, generator: GENERATOR, ...timeSince(settings), buildKey, ...parts, gates },
  });
}

/** The time that the build has taken; none with SOURCE_DATE_EPOCH, with which equal builds have equal manifests. */
function timeSince({ sourceDateEpoch, began }: BuildSettings): Pick<Manifest, 'buildSeconds'> {
  if (sourceDateEpoch !== undefined) return {};
  return { buildSeconds: Math.max(0, Math.round(Date.now() / 1000 - began)) };
}

function describeDataset(compiled: CompileResult): ManifestDataset {
  const { key, counters, scorecard } = compiled;
  return { key, files: namesOf(compiled), counters, ...(scorecard && { scorecard }) };
}

const GENERATOR = 'ipatlas';
const LIST_IDS: ReadonlySet<string> = new Set(LISTS.map(({ id }) => id));
