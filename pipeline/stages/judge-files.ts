import type { Feed, FeedFile } from '../feeds/feed.js';
import { FeedError } from '../feeds/feed-error.js';
import type { LastGoodFile } from './file-choice.js';
import type { FileTallies, FileTally } from './normalise.js';
import type { SnapshotFile } from './snapshot.js';

/** What the files of a feed are held against. */
export interface Measure {
  readonly feed: Pick<Feed, 'tolerance'>;
  readonly patterns: readonly FeedFile[];
  readonly lastGood: readonly LastGoodFile[];
}

/**
 * Why files of a reading cannot be used: too much was rejected, or they have shrunk to less than half. All of them at
 * once: each refusal has the whole feed read again.
 */
export function judgeFiles(
  files: readonly SnapshotFile[],
  tallies: FileTallies,
  measure: Measure,
): FeedError[] {
  return files.flatMap((file) => {
    const tally = tallies[file.id]!;
    return judgeRejections(file, tally, measure) ?? judgeRows(file, tally, measure) ?? [];
  });
}

function judgeRejections(
  { id, pattern }: SnapshotFile,
  { rows, rejected, rejections }: FileTally,
  { feed, patterns }: Measure,
): FeedError | undefined {
  const tolerance = patterns[pattern]?.tolerance ?? feed.tolerance;
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
  const before = lastGood.find((kept) => isSuccessor(file, kept, patterns));
  if (!before || rows >= before.rows / 2) return undefined;
  return new FeedError('shrunk', file.id, `${rows} rows, the last good copy had ${before.rows}`);
}

/** Whether `file` is the next one of what `kept` was: of the same name, or of a series of dated names. */
function isSuccessor(file: SnapshotFile, kept: SnapshotFile, patterns: readonly FeedFile[]): boolean {
  return file.pattern === kept.pattern && (file.id === kept.id || patterns[file.pattern]?.take === 'latest');
}
