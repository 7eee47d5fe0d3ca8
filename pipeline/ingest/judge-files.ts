import { FeedError } from '../input/feed-error.js';
import { dayOfMs } from '../lists/days.js';
import { confirmedMs } from '../snapshot/confirmed-files.js';
import type { LastGoodFile } from '../snapshot/file-choice.js';
import { isFamily, isSuccessor } from '../snapshot/file-series.js';
import type { FileTallies, FileTally } from './normalised-input.js';
import type { SnapshotFile } from '../snapshot/snapshot.js';
import type { InputFile } from '../snapshot/sources.js';

/** Limits for the files of one source. */
export interface Measure {
  /** Tolerance for files that do not declare their own. */
  readonly tolerance: number;
  readonly patterns: readonly InputFile[];
  readonly lastGood: readonly LastGoodFile[];
  /** Lists only: days after which a copy is ignored, also as a reference for newer copies. */
  readonly maxAgeDays?: number;
}

/** Rows of a last good copy from which losing half of them counts as an error. */
export const SHRINK_ROWS = 1_000;

/** The same limit for downloaded files of lists. Lists are short, and a wrong list accuses people. Files that people provide
 * may change freely. */
export const LEAST_LIST_ROWS = 10;
/** A list with more than this many times the rows of its last good copy counts as an error. Feeds may grow. */
export const GROWTH = 10;

/**
 * Returns an error for each file that cannot be used: too many rejected rows, less than half the rows of the last good
 * copy, or (lists) more than ten times its rows. Returns all errors at once, because each refusal repeats the reading.
 * Small files and members of families (names with `*`) may shrink; otherwise withdrawn rows would stay forever. For the
 * same reason a last good copy of a list is not a reference once it is beyond the list's maximum age.
 */
export function judgeFiles(
  files: readonly SnapshotFile[],
  tallies: FileTallies,
  measure: Measure,
): FeedError[] {
  return files.flatMap((file) => {
    const tally = tallies[file.id]!;
    const isRead = tally.unread !== true || !files.some((other) => isReadInstead(other, tallies, measure));
    const refused = judgeRejections(file, tally, measure);
    return refused ?? (isRead ? judgeRows(file, tally, measure) : undefined) ?? [];
  });
}

/** Whether another file was read instead: a feed with two formats reads the better file. */
function isReadInstead({ id, pattern }: SnapshotFile, tallies: FileTallies, { patterns }: Measure): boolean {
  return patterns[pattern]?.shared !== true && tallies[id]!.rows > 0;
}

function judgeRejections(
  { id, pattern }: SnapshotFile,
  { rows, rejected, rejections }: FileTally,
  measure: Measure,
): FeedError | undefined {
  const { handWritten = false, tolerance = measure.tolerance } = measure.patterns[pattern] ?? {};
  if (handWritten || rejected <= rows * tolerance) return undefined;
  const reasons = Object.entries(rejections).map(([reason, { count }]) => `${reason} ${count}`);
  const found = `${rejected} of ${rows} rows rejected (${reasons.join(', ')}), tolerance ${tolerance * 100} %`;
  return new FeedError('tolerance', id, found);
}

function judgeRows(
  file: SnapshotFile,
  { rows }: FileTally,
  { lastGood, patterns, maxAgeDays }: Measure,
): FeedError | undefined {
  const declared = patterns[file.pattern]!;
  if (isFamily(declared)) return undefined;
  const before = lastGood.find((kept) => isSuccessor(file, kept, patterns));
  if (!before) return undefined;
  const isList = maxAgeDays !== undefined && declared.shared !== true;
  if (isList && daysBetween(before, file) > maxAgeDays) return undefined;
  const least = isList && declared.download ? LEAST_LIST_ROWS : SHRINK_ROWS;
  if (before.rows < least) return undefined;
  const found = `${rows} rows; the last good copy had ${before.rows}`;
  if (rows < before.rows / 2) return new FeedError('shrunk', file.id, found);
  return isList && rows > before.rows * GROWTH ? new FeedError('grown', file.id, found) : undefined;
}

/** Returns the days from one copy to a newer one. */
function daysBetween(before: SnapshotFile, after: SnapshotFile): number {
  return dayOfMs(confirmedMs(after)) - dayOfMs(confirmedMs(before));
}
