import { FeedError } from '../feeds/feed-error.js';
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
}

/** Rows of a last good copy from which on halving is no ordinary day's work. */
export const SHRINK_ROWS = 1_000;

/**
 * Why files of a reading cannot be used: too much was rejected, or they have shrunk to less than half. All of them at
 * once: each refusal has everything read again. Small files and members of families (names with `*`) may shrink:
 * what a publisher takes back would else be believed for ever.
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
  { lastGood, patterns }: Measure,
): FeedError | undefined {
  if (isFamily(patterns[file.pattern]!)) return undefined;
  const before = lastGood.find((kept) => isSuccessor(file, kept, patterns));
  if (!before || before.rows < SHRINK_ROWS || rows >= before.rows / 2) return undefined;
  return new FeedError('shrunk', file.id, `${rows} rows, the last good copy had ${before.rows}`);
}
