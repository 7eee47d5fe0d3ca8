import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { DatasetDelta, DatasetDeltas, Manifest, ManifestFile } from '../release/contract.js';
import { sha256Text } from '../release/digest.js';
import { linkFile } from '../release/link-file.js';
import { KEPT_RELEASES } from '../release/prune-releases.js';
import { keptManifests, ReleaseError, type Release } from '../release/release-store.js';
import {
  DELTA_DATASETS,
  downloadIn,
  keptDelta,
  limitOf,
  type DeltaDataset,
  type FilePair,
  type MadeDelta,
} from './kept-delta.js';

/** A release that is being made, and the current one. */
export interface ChangesTask {
  readonly outputDir: string;
  /** The folder with the files of the new release; deltas are added to it. */
  readonly workDir: string;
  readonly manifest: Manifest;
  readonly base: Release | undefined;
  /** The number of releases that are kept. */
  readonly keep?: number;
  readonly log: (line: string) => void;
}

/**
 * Adds the changes since the current release to the files of a new one, and those that the current one lists. Returns
 * the manifest with entries for them; none for datasets without a delta. Earlier jobs have made the new deltas, unless the
 * current release has changed since. One that cannot be made is left out: its dataset then begins a new sequence.
 */
export async function addChanges(task: ChangesTask): Promise<Manifest> {
  const deltas: DatasetDeltas[] = [];
  for (const dataset of DELTA_DATASETS) {
    const made = await changesOf(task, dataset);
    if (made !== undefined && made.deltas.length > 0) deltas.push(made);
  }
  return deltas.length > 0 ? { ...task.manifest, deltas } : task.manifest;
}

async function changesOf(task: ChangesTask, dataset: DeltaDataset): Promise<DatasetDeltas | undefined> {
  const { base, manifest, workDir, keep = KEPT_RELEASES } = task;
  const now = downloadIn(manifest.files, dataset);
  const old = base && downloadIn(base.manifest.files, dataset);
  if (!base || !now || !old) return undefined;
  // Deltas begin at kept releases: if only the new one is kept, there are none.
  if (keep < 2) return undefined;
  const { name } = now;
  const before = base.manifest.deltas?.find((entry) => entry.file === name) ?? firstEntry(name, old);
  if (old.sha256 === now.sha256) return carry(task, before, before.deltas);
  const pair = { dataset, old: { dir: base.dir, file: old }, now: { dir: workDir, file: now } };
  const kept = await deltaOrExplain(task, pair);
  if (kept === undefined) return undefined;
  const serial = before.serial + 1;
  const deltas = within([...before.deltas, { ...kept.delta, serial }], keep - 1, now);
  const session = await sessionOf(task, { ...before, serial }, now);
  return carry(task, { file: name, session, serial }, deltas, kept.dir);
}

/** Returns the entry of the first file of a sequence. */
function firstEntry(file: string, { sha256 }: ManifestFile): DatasetDeltas {
  return { file, session: sha256Text(`changes from ${sha256}`).slice(0, 32), serial: 1, deltas: [] };
}

/** Finds or makes the delta of a dataset; undefined, with a line in the log, when there is none. */
async function deltaOrExplain(
  { base, outputDir, log }: ChangesTask,
  pair: FilePair,
): Promise<MadeDelta | undefined> {
  const kept = await keptDelta(pair, { outputDir, log }).catch((error: unknown) => {
    if (!(error instanceof ReleaseError)) throw error;
    return { reason: error.message };
  });
  if ('delta' in kept) return kept;
  log(`no changes of ${pair.now.file.name} since ${base!.id}: ${kept.reason}`);
  return undefined;
}

/** Returns the newest deltas: at most `count`, and together within the limit. */
function within(deltas: readonly DatasetDelta[], count: number, file: ManifestFile): DatasetDelta[] {
  const kept: DatasetDelta[] = [];
  let total = 0;
  for (const delta of deltas.toReversed().slice(0, count)) {
    total += delta.sizeBytes;
    if (total > limitOf(file)) break;
    kept.unshift(delta);
  }
  return kept;
}

/** Returns the session; another one when a release after a rollback has used the serial for another file. */
async function sessionOf(
  { outputDir, manifest, base }: ChangesTask,
  { file, session, serial }: Omit<DatasetDeltas, 'deltas'>,
  { sha256 }: ManifestFile,
): Promise<string> {
  const others = await keptManifests(outputDir, manifest.id);
  const isTaken = others.some(
    ({ id, deltas = [], files }) =>
      id !== base?.id &&
      deltas.some((entry) => entry.file === file && entry.session === session && entry.serial >= serial) &&
      files.some((one) => one.name === file && one.sha256 !== sha256),
  );
  return isTaken ? sha256Text(`changes after ${session} to ${sha256}`).slice(0, 32) : session;
}

/** Links deltas into the work folder: those that the base lists from there, a new one from the folder where it is kept. */
async function carry(
  { base, workDir }: ChangesTask,
  { file, session, serial }: Omit<DatasetDeltas, 'deltas'>,
  deltas: readonly DatasetDelta[],
  keptDir?: string,
): Promise<DatasetDeltas> {
  const listed = new Set(base!.manifest.deltas?.flatMap((entry) => entry.deltas.map(({ name }) => name)));
  await mkdir(join(workDir, 'changes'), { recursive: true });
  for (const delta of deltas) {
    const dir = listed.has(delta.name) ? base!.dir : keptDir!;
    for (const { name } of [delta, delta.rows]) await linkFile(join(dir, name), join(workDir, name));
  }
  return { file, session, serial, deltas: [...deltas] };
}
