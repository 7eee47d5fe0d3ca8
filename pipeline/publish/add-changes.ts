import { createHash } from 'node:crypto';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import { applyDelta } from '../changes/apply-delta.js';
import { changeRows } from '../changes/change-rows.js';
import { ChangesError } from '../changes/changes-error.js';
import { compareFiles, encodeChanges, type DeltaSubject } from '../changes/make-delta.js';
import { readDeltaHeader } from '../changes/delta-file.js';
import { ISP_SCHEMA } from '../isp/isp-record.js';
import { CITY_SCHEMA } from '../merge/city-record.js';
import { MmdbError } from '../mmdb/mmdb-error.js';
import type { Schema } from '../mmdb/schema.js';
import type { DatasetDeltas, DatasetDelta, Manifest, ManifestFile } from '../release/contract.js';
import { sha256Text } from '../release/digest.js';
import { linkFile } from '../release/link-file.js';
import { KEPT_RELEASES } from '../release/prune-releases.js';
import { keptManifests, type Release } from '../release/release-store.js';
import { verifyFile } from '../release/verify-release.js';
import { ASN_SCHEMA } from '../routing/asn-records.js';

/** The files for download that have deltas, with the schemas of their records. */
const SCHEMAS: Readonly<Record<string, Schema>> = { geo: CITY_SCHEMA, asn: ASN_SCHEMA, isp: ISP_SCHEMA };

/**
 * Returns the largest size of a delta, and of all deltas together: an eighth of the file, which is about a quarter of its
 * compressed size. A header alone may exceed that for small files.
 */
function limitOf({ sizeBytes }: ManifestFile): number {
  return Math.max(sizeBytes / 8, Math.min(sizeBytes, 8192));
}

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
 * the manifest with entries for them; none for datasets without a delta. Each new delta was applied once. One that
 * cannot be made is left out: its dataset then begins a new sequence.
 */
export async function addChanges(task: ChangesTask): Promise<Manifest> {
  const deltas: DatasetDeltas[] = [];
  for (const [dataset, schema] of Object.entries(SCHEMAS)) {
    const made = await changesOf(task, dataset, schema);
    if (made !== undefined && made.deltas.length > 0) deltas.push(made);
  }
  return deltas.length > 0 ? { ...task.manifest, deltas } : task.manifest;
}

async function changesOf(
  task: ChangesTask,
  dataset: string,
  schema: Schema,
): Promise<DatasetDeltas | undefined> {
  const { base, manifest, keep = KEPT_RELEASES } = task;
  const name = `download/${dataset}.mmdb`;
  const now = fileNamed(manifest, name);
  const old = base && fileNamed(base.manifest, name);
  if (!base || !now || !old) return undefined;
  // Deltas begin at kept releases: if only the new one is kept, there are none.
  if (keep < 2) return undefined;
  const before = base.manifest.deltas?.find((entry) => entry.file === name) ?? firstEntry(name, old);
  if (old.sha256 === now.sha256) return carry(task, before, before.deltas);
  const delta = await makeOrExplain(task, { dataset, schema, old, now });
  if (delta === undefined) return undefined;
  const serial = before.serial + 1;
  const deltas = within([...before.deltas, { ...delta, serial }], keep - 1, now);
  const session = await sessionOf(task, { ...before, serial }, now);
  return carry(task, { file: name, session, serial }, deltas);
}

function fileNamed({ files }: Manifest, name: string): ManifestFile | undefined {
  return files.find((file) => file.name === name);
}

/** Returns the entry of the first file of a sequence. */
function firstEntry(file: string, { sha256 }: ManifestFile): DatasetDeltas {
  return { file, session: sha256Text(`changes from ${sha256}`).slice(0, 32), serial: 1, deltas: [] };
}

/** Makes and tries the delta of a dataset; undefined, with a line in the log, when there is none. */
async function makeOrExplain(
  task: ChangesTask,
  pair: Pair,
): Promise<Omit<DatasetDelta, 'serial'> | undefined> {
  const explain = (reason: string): void => {
    task.log(`no changes of ${pair.now.name} since ${task.base!.id}: ${reason}`);
  };
  try {
    const subject = await readPair(task, pair);
    const compared = compareFiles(subject);
    const delta = encodeChanges(compared);
    if (delta.length > limitOf(pair.now)) {
      explain(`the delta has ${delta.length} bytes, the file ${pair.now.sizeBytes}`);
      return undefined;
    }
    const rows = await compress(changeRows(compared));
    applyDelta(subject.old.bytes, delta, () => undefined);
    return await writeDelta(task, pair, { delta, rows, networks: readDeltaHeader(delta).changes });
  } catch (error) {
    if (!(error instanceof ChangesError || error instanceof MmdbError)) throw error;
    explain(error.message);
    return undefined;
  }
}

interface Pair {
  readonly dataset: string;
  readonly schema: Schema;
  readonly old: ManifestFile;
  readonly now: ManifestFile;
}

async function readPair(task: ChangesTask, { dataset, schema, old, now }: Pair): Promise<DeltaSubject> {
  const oldPath = join(task.base!.dir, old.name);
  await verifyFile(oldPath, old);
  const [oldBytes, newBytes] = [await readFile(oldPath), await readFile(join(task.workDir, now.name))];
  return {
    ...{ dataset, schema },
    old: { bytes: oldBytes, sha256: old.sha256, sizeBytes: old.sizeBytes },
    new: { bytes: newBytes, sha256: now.sha256, sizeBytes: now.sizeBytes },
  };
}

const compress = promisify(gzip);

interface Written {
  readonly delta: Buffer;
  readonly rows: Buffer;
  readonly networks: number;
}

async function writeDelta(
  { workDir }: ChangesTask,
  { dataset, old, now }: Pair,
  { delta, rows, networks }: Written,
): Promise<Omit<DatasetDelta, 'serial'>> {
  const stem = `changes/${dataset}-${old.sha256.slice(0, 12)}-${now.sha256.slice(0, 12)}`;
  await mkdir(join(workDir, 'changes'), { recursive: true });
  const described = async (name: string, bytes: Buffer) => {
    await writeFile(join(workDir, name), bytes);
    return { name, sizeBytes: bytes.length, sha256: createHash('sha256').update(bytes).digest('hex') };
  };
  return {
    ...(await described(`${stem}.delta`, delta)),
    from: { sha256: old.sha256, sizeBytes: old.sizeBytes },
    to: { sha256: now.sha256, sizeBytes: now.sizeBytes },
    changes: networks,
    rows: await described(`${stem}.csv.gz`, rows),
  };
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

/** Links the deltas that the base has into the work folder. */
async function carry(
  { base, workDir }: ChangesTask,
  { file, session, serial }: Omit<DatasetDeltas, 'deltas'>,
  deltas: readonly DatasetDelta[],
): Promise<DatasetDeltas> {
  const listed = new Set(base!.manifest.deltas?.flatMap((entry) => entry.deltas.map(({ name }) => name)));
  await mkdir(join(workDir, 'changes'), { recursive: true });
  for (const delta of deltas) {
    if (!listed.has(delta.name)) continue;
    for (const { name } of [delta, delta.rows]) await linkFile(join(base!.dir, name), join(workDir, name));
  }
  return { file, session, serial, deltas: [...deltas] };
}
