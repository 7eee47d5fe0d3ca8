import { FeedError, RefusedFiles } from '../feeds/feed-error.js';
import type { ManifestRefusal } from '../release/contract.js';
import { FileChoice, type Snapshots } from './file-choice.js';
import type { SnapshotFile } from './snapshot.js';

/** What was read, and what had to be replaced or left out for it. */
export interface BestCopy<T> {
  readonly result: T;
  readonly files: readonly SnapshotFile[];
  /** Ids of the files that are last good copies. */
  readonly lastGood: ReadonlySet<string>;
  /** Ids of members of a family (names with `*`) that the last release had and tonight's files do not have. */
  readonly withdrawn: readonly string[];
}

/**
 * Reads tonight's files; each one that is refused (FeedError, RefusedFiles) gives way to its last good copy, or to the bundled
 * one, or is left out, and everything is read again. A source without any file gives way as a whole, and so does an
 * optional file that has vanished; a member of a family was withdrawn by its publisher. Refusals are added to `refusals`. Absent
 * when a required file is neither good tonight nor kept, or when nothing of the source is left to read.
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
