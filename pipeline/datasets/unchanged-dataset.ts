import { join } from 'node:path';
import { filesOfRelease, type Dataset, type Manifest } from '../release/contract.js';
import { ReleaseError, type Release } from '../release/release-store.js';
import { verifyFile } from '../release/verify-release.js';
import type { CompileResult, DatasetPlan } from './dataset-plan.js';
import { bringFiles, workDirOf } from './dataset-folder.js';
import { examineAgain } from './examine.js';
import { lastReleaseOf } from '../stage/last-release.js';
import { StoreError } from '../store/store-error.js';
import type { StageContext } from '../stage/stage.js';

/**
 * Returns the dataset of the current release if its key is equal. With `sourceDateEpoch` its files must have that date.
 * Returns undefined if a file is damaged, and logs it.
 */
export async function unchangedDataset(
  dataset: Dataset,
  plan: Pick<DatasetPlan, 'key' | 'inputs'>,
  context: Pick<StageContext, 'settings' | 'remote' | 'log'>,
): Promise<CompileResult | undefined> {
  const { settings, log } = context;
  const { release, damaged } = await lastReleaseOf(context);
  if (damaged !== undefined) {
    log(`the current release is damaged and will be rebuilt: ${damaged}`);
    return undefined;
  }
  const held = release?.manifest.datasets?.[dataset];
  if (settings.force === true || held?.key !== plan.key) return undefined;
  const { files } = filesOf(release!, held.files);
  const { sourceDateEpoch } = settings;
  const isOfDate = files.every(
    ({ buildEpoch }) => sourceDateEpoch === undefined || buildEpoch === sourceDateEpoch,
  );
  if (!isOfDate) return undefined;
  const { key, inputs } = plan;
  const here = await withFiles(release!, { dataset, key, names: held.files }, context);
  if (!here) return undefined;
  const found = await datasetOf(dataset, { release: here, key, inputs, log });
  if (found) log(`unchanged: release ${release!.id} has the same inputs`);
  return found;
}

/** Returns the release with a folder of this machine that has a dataset's files; undefined if the store lacks one. */
async function withFiles(
  release: Release,
  { names, ...made }: { readonly dataset: Dataset; readonly key: string; readonly names: readonly string[] },
  { settings, remote, log }: Pick<StageContext, 'settings' | 'remote' | 'log'>,
): Promise<Release | undefined> {
  const files = filesOfRelease(release.manifest).filter(({ name }) => names.includes(name));
  try {
    const dir = await bringFiles(files, [release.dir, workDirOf(settings.outputDir, made)], {
      ...(remote && { remote }),
    });
    return { ...release, dir };
  } catch (error) {
    if (!(error instanceof StoreError)) throw error;
    log(`${made.dataset} of ${release.id} is compiled again: ${error.message}`);
    return undefined;
  }
}

/** A release, and the key and inputs of one of its datasets. */
interface Held {
  readonly release: Release;
  readonly key: string;
  readonly inputs: CompileResult['inputs'] | DatasetPlan['inputs'];
  readonly log: (line: string) => void;
}

/** Returns a dataset of a release in the form of a compile result, or undefined if it is missing or damaged. */
export async function datasetOf(
  dataset: Dataset,
  { release, key, inputs, log }: Held,
): Promise<CompileResult | undefined> {
  const { manifest, id } = release;
  const held = manifest.datasets?.[dataset];
  if (!held || !(await areWhole(release, held.files, log))) return undefined;
  const { files, indexes } = filesOf(release, held.files);
  const compiled: CompileResult['files'] = [];
  for (const file of files) compiled.push(await asCompiled(file, release));
  return {
    dataset,
    key,
    unchanged: id,
    inputs: inputs.map((input) => withPlaces(input, manifest)),
    files: compiled,
    indexes,
    counters: held.counters,
    ...(held.scorecard && { scorecard: held.scorecard }),
  };
}

function filesOf(
  { manifest }: Release,
  names: readonly string[],
): Required<Pick<Manifest, 'files' | 'indexes'>> {
  const isHeld = ({ name }: { readonly name: string }): boolean => names.includes(name);
  return { files: manifest.files.filter(isHeld), indexes: (manifest.indexes ?? []).filter(isHeld) };
}

async function areWhole(
  { dir, manifest }: Release,
  names: readonly string[],
  log: (line: string) => void,
): Promise<boolean> {
  try {
    for (const file of filesOfRelease(manifest)) {
      if (names.includes(file.name)) await verifyFile(join(dir, file.name), file);
    }
    return true;
  } catch (error) {
    if (!(error instanceof ReleaseError)) throw error;
    log(`the current release is damaged and will be rebuilt: ${error.message}`);
    return false;
  }
}

/** Returns the input with the facts that were found when the dataset was compiled. */
function withPlaces(
  input: CompileResult['inputs'][number],
  { inputs }: Manifest,
): CompileResult['inputs'][number] {
  const places = inputs.find(({ feed }) => feed === input.feed)?.places;
  return places ? { ...input, places } : input;
}

async function asCompiled(
  file: Manifest['files'][number],
  { id, dir }: Release,
): Promise<CompileResult['files'][number]> {
  const { name, databaseType } = file;
  return { file, examination: await examineAgain(join(dir, name), { databaseType, release: id }) };
}
