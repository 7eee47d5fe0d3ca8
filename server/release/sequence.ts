import { join } from 'node:path';
import type { DatasetDelta, Manifest } from '../../pipeline/release/contract.js';
import type { ReadFile } from './read-files.js';
import type { DatasetFile, DatasetSequence, DeltaFile, SentFile } from './snapshot.js';

/** A release that has been read. */
interface ReadRelease {
  readonly dir: string;
  readonly manifest: Manifest;
  readonly read: ReadonlyMap<string, ReadFile>;
}

/** Returns the changes that lead to a dataset's file. Without deltas it is the first file of a sequence. */
export function sequenceOf(name: string, { sha256 }: DatasetFile, release: ReadRelease): DatasetSequence {
  const entry = release.manifest.deltas?.find(({ file }) => file === name);
  // A release without deltas begins a sequence; its session is replaced by that of the next release.
  if (!entry) return { session: sha256.slice(0, 32), serial: 1, deltas: [] };
  const { session, serial, deltas } = entry;
  return { session, serial, deltas: deltas.map((delta) => deltaFile(delta, release)) };
}

function deltaFile(
  { serial, from, to, changes, rows, ...file }: DatasetDelta,
  release: ReadRelease,
): DeltaFile {
  return { ...sentFile(file, release), serial, from, to, changes, rows: sentFile(rows, release) };
}

function sentFile(
  { name, sizeBytes, sha256 }: { readonly name: string; readonly sizeBytes: number; readonly sha256: string },
  { dir, read }: ReadRelease,
): SentFile {
  const filename = `ipatlas-${name.split('/').at(-1)!}`;
  return { path: join(dir, name), filename, sizeBytes, sha256, modified: read.get(name)?.modified ?? 0 };
}
