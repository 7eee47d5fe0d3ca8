import { FeedError, RefusedFiles } from '../input/feed-error.js';
import type { ManifestRefusal } from '../release/contract.js';
import { FileChoice, type Snapshots } from './file-choice.js';
import type { SnapshotFile } from './snapshot.js';

/** A result, the files that it was read from, and the files that were replaced or left out. */
export interface BestCopy<T> {
  readonly result: T;
  readonly files: readonly SnapshotFile[];
  /** Ids of the files that are last good copies. */
  readonly lastGood: ReadonlySet<string>;
  /** Ids of family members (names with `*`) in the last release that tonight's files no longer contain. */
  readonly withdrawn: readonly string[];
}

/**
 * Reads tonight's files. When a file is refused (FeedError, RefusedFiles), replaces it by its last good copy, else by
 * the bundled copy, else leaves it out, and reads all files again. Also replaces a missing source as a whole and a
 * missing optional file; a missing member of a family counts as withdrawn by its publisher. Adds every refusal to
 * `refusals`. Returns undefined if a required file has no usable copy, or if no file of the source is left.
 */
export async function readBestCopy<T>(
  snapshots: Snapshots,
  refusals: ManifestRefusal[],
  read: (files: readonly SnapshotFile[]) => Promise<T>,
): Promise<BestCopy<T> | undefined> {
  const choice = new FileChoice(snapshots, refusals);
  await choice.fillGaps();
  while (choice.isReadable) {
    const { files, lastGood, withdrawn } = choice;
    try {
      return { result: await read(files), files, lastGood, withdrawn };
    } catch (error) {
      const refused = refusalsIn(error).map((refusal) => {
        return { refusal, file: files.find(({ id }) => id === refusal.file) };
      });
      if (refused.length === 0) throw error;
      for (const { refusal, file } of refused) {
        if (!file) throw error;
        await choice.replace(file, refusal);
      }
    }
  }
  return undefined;
}

function refusalsIn(error: unknown): readonly FeedError[] {
  if (error instanceof RefusedFiles) return error.refusals;
  return error instanceof FeedError ? [error] : [];
}
