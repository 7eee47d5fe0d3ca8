import { DEFAULT_UNPACKED_BYTES } from '../input/containers/unpacked-size.js';
import type { OpenFile, PublishedFile } from '../input/published-source.js';
import type { Tally } from '../input/tally.js';
import type { ManifestInputFile } from '../release/contract.js';
import { sha256Text } from '../release/digest.js';
import type { FileStore } from '../store/file-store.js';
import type { SnapshotFile } from './snapshot.js';

/** Opens a file of a snapshot for a reader. */
export function openFile(
  file: SnapshotFile,
  patterns: readonly PublishedFile[],
  store: FileStore,
  onRead: (bytes: number) => void,
): OpenFile {
  const { id, folder, name, sizeBytes, sha256 } = file;
  const { container, handWritten, maxUnpackedBytes = DEFAULT_UNPACKED_BYTES } = patterns[file.pattern]!;
  const path = store.pathOf(sha256);
  const by = handWritten === undefined ? {} : { handWritten };
  return { id, folder, name, container, path, sizeBytes, maxUnpackedBytes, ...by, onRead };
}

/** Returns the cache key of these files for a kind of result. Independent of their order. */
export function keyOfFiles(kind: string, files: readonly Pick<SnapshotFile, 'id' | 'sha256'>[]): string {
  const lines = files.map((file) => `${file.id} ${file.sha256}`).sort();
  return sha256Text([kind, ...lines].join('\n'));
}

/** Returns the manifest entry of a file: its digest, its dates and its counts. */
export function manifestFile(
  file: SnapshotFile,
  tally: Pick<Tally, 'rows' | 'accepted' | 'rejected' | 'rejections' | 'notes'>,
  lastGood: boolean,
): ManifestInputFile {
  const { id, sha256, sizeBytes } = file;
  const { rows, accepted, rejected, rejections, notes } = tally;
  return { id, sha256, sizeBytes, ...datesOf(file), lastGood, rows, accepted, rejected, rejections, notes };
}

/** Returns the dates of a file for the manifest; `confirmed` only if it is known. */
export function datesOf({ modified, confirmed }: Pick<SnapshotFile, 'modified' | 'confirmed'>): {
  modified: string;
  confirmed?: string;
} {
  return { modified, ...(confirmed !== undefined && { confirmed }) };
}
