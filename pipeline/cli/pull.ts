import { createHash } from 'node:crypto';
import { open, readdir, readFile, rename, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { rebuildFile } from '../changes/apply-delta.js';
import { ChangesError } from '../changes/changes-error.js';
import { sha256File } from '../release/digest.js';
import { fsyncPath } from '../release/durable.js';
import { withFileLock } from '../release/file-lock.js';
import { absentIfMissing } from '../release/missing.js';
import { makeFolder } from '../release/system-error.js';
import { PullError, type Changes, type PullSource, type Snapshot } from './pull-source.js';

/** A dataset to bring up to date. */
export interface PullTask {
  readonly source: PullSource;
  /** geo, asn or isp; the file is `<dataset>.mmdb`. */
  readonly dataset: string;
  readonly into: string;
  /** Receives the progress, one line each. */
  readonly say: (line: string) => void;
}

/** How a dataset was brought up to date. */
export interface Pulled {
  readonly how: 'unchanged' | 'rebuilt' | 'whole';
  readonly sha256: string;
  readonly sizeBytes: number;
  /** The number of deltas that the file was rebuilt from. */
  readonly deltas: number;
  readonly receivedBytes: number;
}

/**
 * Brings a file up to date: rebuilds it from its deltas, or fetches it whole if that is not possible. The file is
 * replaced by a rename, after its sha256 was checked. Waits for another process that does the same, because both write
 * the same unfinished files. Throws PullError, or a system error of the folder; the old file then stays.
 */
export async function pull(task: PullTask): Promise<Pulled> {
  const { dataset, into, say } = task;
  makeFolder(into);
  const path = join(into, `${dataset}.mmdb`);
  return withFileLock(
    join(into, `.${dataset}.mmdb.lock`),
    () => bringUpToDate(task, path),
    () => {
      say(`waiting for another pull of ${path}`);
    },
  );
}

async function bringUpToDate(task: PullTask, path: string): Promise<Pulled> {
  const { source, say } = task;
  const old = await absentIfMissing(readFile(path));
  const mine = old && sha256Of(old);
  const changes = await source.changesSince(mine);
  const { sha256, size } = changes.snapshot;
  if (mine === sha256) return { how: 'unchanged', sha256, sizeBytes: size, deltas: 0, receivedBytes: 0 };
  const rebuilt = old && (await rebuildOrExplain(task, old, changes));
  if (!rebuilt) return fetchWhole(task, changes.snapshot, path);
  await replace(path, rebuilt.file);
  const { deltas } = rebuilt.figures;
  say(`rebuilt ${path} from ${deltas} ${deltas === 1 ? 'delta' : 'deltas'}`);
  return { how: 'rebuilt', sha256, sizeBytes: size, ...rebuilt.figures };
}

function sha256Of(bytes: Buffer): string {
  return createHash('sha256').update(bytes).digest('hex');
}

interface Rebuilt {
  readonly file: Buffer;
  readonly figures: Pick<Pulled, 'deltas' | 'receivedBytes'>;
}

/** Returns the rebuilt file; undefined, with a line that says why, when the file must be fetched whole. */
async function rebuildOrExplain(task: PullTask, old: Buffer, changes: Changes): Promise<Rebuilt | undefined> {
  try {
    return await rebuild(task, old, changes);
  } catch (error) {
    if (!(error instanceof ChangesError || error instanceof PullError)) throw error;
    task.say(`the file is fetched whole: ${error.message}`);
    return undefined;
  }
}

async function rebuild({ source, say }: PullTask, old: Buffer, changes: Changes): Promise<Rebuilt> {
  if (changes.why !== undefined) throw new PullError(changes.why);
  const { snapshot, deltas } = changes;
  const receivedBytes = deltas.reduce((sum, { size }) => sum + size, 0);
  if (receivedBytes > snapshot.size) throw new PullError('the deltas are larger than the file');
  if (!areContiguous(sha256Of(old), deltas, snapshot.sha256))
    throw new PullError('the listed deltas do not lead to the current file');
  let file = old;
  for (const [i, delta] of deltas.entries()) {
    say(`delta ${i + 1} of ${deltas.length}, ${delta.size} bytes`);
    const bytes = await source.delta(delta.sha256, delta.size);
    if (sha256Of(bytes) !== delta.sha256) throw new PullError(`delta ${delta.sha256} has another sha256`);
    file = rebuildFile(file, bytes);
  }
  if (sha256Of(file) !== snapshot.sha256) throw new PullError('the deltas do not lead to the current file');
  return { file, figures: { deltas: deltas.length, receivedBytes } };
}

/** Whether each delta begins at the file to which the one before leads. */
function areContiguous(
  from: string,
  deltas: readonly { readonly from_sha256: string; readonly to_sha256: string }[],
  to: string,
): boolean {
  const ends = [from, ...deltas.map((delta) => delta.to_sha256)];
  return deltas.every((delta, i) => delta.from_sha256 === ends[i]) && ends.at(-1) === to;
}

/** Where a rebuilt file is written before the rename. */
function unfinishedPath(path: string): string {
  return `${path}.new`;
}

/** Writes the file beside the old one, syncs it and renames it. */
async function replace(path: string, bytes: Buffer): Promise<void> {
  const work = unfinishedPath(path);
  const file = await open(work, 'w');
  try {
    await file.writeFile(bytes);
    await file.sync();
    await rename(work, path);
  } catch (error) {
    await rm(work, { force: true });
    throw error;
  } finally {
    await file.close();
  }
  await fsyncPath(join(path, '..'));
}

/** Fetches the whole file. A download that broke off is continued, unless the server has another file since. */
async function fetchWhole(
  { source, dataset, into, say }: PullTask,
  snapshot: Snapshot,
  path: string,
): Promise<Pulled> {
  const { sha256, size } = snapshot;
  const name = `${dataset}.mmdb.${sha256.slice(0, 16)}.part`;
  const part = join(into, name);
  await rm(unfinishedPath(path), { force: true });
  for (const other of await readdir(into))
    if (other.startsWith(`${dataset}.mmdb.`) && other.endsWith('.part') && other !== name)
      await rm(join(into, other), { force: true });
  const have = (await absentIfMissing(stat(part)))?.size ?? 0;
  say(`${path}: ${size - Math.min(have, size)} of ${size} bytes to fetch`);
  if (have !== size) await source.whole(snapshot, part, have < size ? have : 0);
  const found = await sha256File(part);
  if (found.sha256 !== sha256) {
    await rm(part, { force: true });
    throw new PullError(`the file has sha256 ${found.sha256} (${found.sizeBytes} bytes), expected ${sha256}`);
  }
  await fsyncPath(part);
  await rename(part, path);
  await fsyncPath(into);
  return { how: 'whole', sha256, sizeBytes: size, deltas: 0, receivedBytes: size - Math.min(have, size) };
}
