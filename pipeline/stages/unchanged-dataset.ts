import { join } from 'node:path';
import { filesOfRelease, type Dataset, type Manifest } from '../release/contract.js';
import { lastRelease } from '../release/last-release.js';
import { ReleaseError, type Release } from '../release/release-store.js';
import { verifyFile } from '../release/verify-release.js';
import type { CompileResult, DatasetPlan } from './dataset-plan.js';
import { examineAgain } from './examine.js';
import type { StageContext } from './stage.js';

/**
 * The dataset as the current release holds it, when it was made of the same; asked for a date, its files must be of
 * that date. Files that are damaged are told: what is compiled takes their place.
 */
export async function unchangedDataset(
  dataset: Dataset,
  plan: DatasetPlan,
  { settings, log }: Pick<StageContext, 'settings' | 'log'>,
): Promise<CompileResult | undefined> {
  const { release, damaged } = await lastRelease(settings.outputDir);
  if (damaged !== undefined) {
    log(`the current release is damaged, a new one is built: ${damaged}`);
    return undefined;
  }
  const held = release?.manifest.datasets?.[dataset];
  if (settings.force === true || held?.key !== plan.key) return undefined;
  const files = filesOf(release!, held.files);
  const { sourceDateEpoch } = settings;
  const isOfDate = files.files.every(
    ({ buildEpoch }) => sourceDateEpoch === undefined || buildEpoch === sourceDateEpoch,
  );
  if (!isOfDate || !(await areWhole(release!, held.files, log))) return undefined;
  log(`nothing new: release ${release!.id} was made from the same inputs`);
  const compiled: CompileResult['files'] = [];
  for (const file of files.files) compiled.push(await asCompiled(file, release!));
  return {
    dataset,
    key: plan.key,
    unchanged: release!.id,
    dir: release!.dir,
    inputs: plan.inputs.map((input) => withPlaces(input, release!.manifest)),
    files: compiled,
    indexes: files.indexes,
    counters: held.counters,
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
    log(`the current release is damaged, a new one is built: ${error.message}`);
    return false;
  }
}

/** What was found out about an input when the dataset was compiled. */
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
