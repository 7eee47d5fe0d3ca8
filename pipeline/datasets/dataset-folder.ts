import { join } from 'node:path';
import type { Dataset } from '../release/contract.js';
import { sha256File, type FileDigest } from '../release/digest.js';
import { absentIfMissing } from '../release/missing.js';
import { releaseDir, releasesDir, UNFINISHED } from '../release/release-store.js';
import { AT_ONCE } from '../store/remote-tier.js';
import { atMost } from '../store/at-most.js';
import type { StageContext } from '../stage/stage.js';
import type { CompileResult } from './dataset-plan.js';

/** A compiled dataset with the folder of its files on this machine. */
export type LocatedDataset = CompileResult & { readonly dir: string };

/** Where a job finds the files of datasets. */
type Where = Pick<StageContext, 'settings' | 'remote'>;

/** A file of a dataset: its name and its digest. */
export interface DatasetFile extends FileDigest {
  readonly name: string;
}

/** Returns the folder in which a dataset is compiled: beside the releases, so that its files can be linked. */
export function workDirOf(outputDir: string, { dataset, key }: { dataset: Dataset; key: string }): string {
  return join(releasesDir(outputDir), `${UNFINISHED}${dataset}-${key.slice(0, 12)}`);
}

/** Returns all files of a compiled dataset. */
export function filesOfDataset({ files, indexes }: Pick<CompileResult, 'files' | 'indexes'>): DatasetFile[] {
  return [...files.map(({ file }) => file), ...indexes];
}

/**
 * Returns a dataset with the folder of its files on this machine. With a store, files that are missing or different are
 * downloaded; `isNeeded` leaves files out. Throws StoreError if one is missing.
 */
export async function locateDataset(
  result: CompileResult,
  where: Where,
  isNeeded: (name: string) => boolean = () => true,
): Promise<LocatedDataset> {
  const { outputDir } = where.settings;
  const made = workDirOf(outputDir, result);
  const home = result.unchanged === undefined ? made : releaseDir(outputDir, result.unchanged);
  const files = filesOfDataset(result).filter(({ name }) => isNeeded(name));
  return { ...result, dir: await bringFiles(files, [home, made], where) };
}

/**
 * Returns the first folder that holds all these files whole, or the last folder after downloading the files that are
 * missing there. Without a store returns the first folder. Throws StoreError.
 */
export async function bringFiles(
  files: readonly DatasetFile[],
  [home, other]: readonly [home: string, other: string],
  { remote }: Pick<StageContext, 'remote'>,
): Promise<string> {
  if (!remote || (await areWhole(files, home))) return home;
  await atMost(AT_ONCE, files, async (file) => {
    if (!(await areWhole([file], other))) await remote.pull(file, join(other, file.name));
  });
  return other;
}

async function areWhole(files: readonly DatasetFile[], dir: string): Promise<boolean> {
  for (const { name, sha256 } of files) {
    const found = await absentIfMissing(sha256File(join(dir, name)));
    if (found?.sha256 !== sha256) return false;
  }
  return true;
}
