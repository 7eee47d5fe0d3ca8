import { FeedError } from '../feeds/feed-error.js';
import { dayOfMs } from '../lists/days.js';
import { confirmedMs } from './confirmed-files.js';
import type { LastGoodFile } from './file-choice.js';
import { isFamily, isSuccessor } from './file-series.js';
import type { FileTallies, FileTally } from './kept-reading.js';
import type { SnapshotFile } from './snapshot.js';
import type { InputFile } from './sources.js';

/** What the files of a feed or source are held against. */
export interface Measure {
  /** Of files that do not tell their own. */
  readonly tolerance: number;
  readonly patterns: readonly InputFile[];
  readonly lastGood: readonly LastGoodFile[];
  /** Of a list: days after which a copy is believed no more, and is no measure for newer ones. */
  readonly maxAgeDays?: number;
}

/** Rows of a last good copy from which on halving is no ordinary day's work. */
export const SHRINK_ROWS = 1_000;

/** The same for a file of a list: lists are short, and a wrong one names people. What only people provide may change. */
export const LEAST_LIST_ROWS = 10;
/** Rows of a list over so many times of the last good copy's are somebody's mistake. A feed may grow: there it is welcome. */
export const GROWTH = 10;

/**
 * Why files of a reading cannot be used: too much was rejected, they have shrunk to less than half, or (of a list) grown
 * to more than ten times. All of them at once: each refusal has everything read again. Small files and members of families
 * (names with `*`) may shrink: what a publisher takes back would else be believed for ever. So it would where a list's
 * publisher stays with another number of rows: once the last good copy is too old to be believed it is no measure.
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

/** A feed that knows two formats reads the better one of two files. */
function isReadInstead({ id, pattern }: SnapshotFile, tallies: FileTallies, { patterns }: Measure): boolean {
  return patterns[pattern]?.shared !== true && tallies[id]!.rows > 0;
}

function judgeRejections(
  { id, pattern }: SnapshotFile,
  { rows, rejected, rejections }: FileTally,
  measure: Measure,
): FeedError | undefined {
  const tolerance = measure.patterns[pattern]?.tolerance ?? measure.tolerance;
  if (rejected <= rows * tolerance) return undefined;
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
  const found = `${rows} rows, the last good copy had ${before.rows}`;
  if (rows < before.rows / 2) return new FeedError('shrunk', file.id, found);
  return isList && rows > before.rows * GROWTH ? new FeedError('grown', file.id, found) : undefined;
}

/** From one copy to a newer one. */
function daysBetween(before: SnapshotFile, after: SnapshotFile): number {
  return dayOfMs(confirmedMs(after)) - dayOfMs(confirmedMs(before));
}
