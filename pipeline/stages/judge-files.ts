import type { Feed, FeedFile } from '../feeds/feed.js';
import { FeedError } from '../feeds/feed-error.js';
import { isFamily, type LastGoodFile } from './file-choice.js';
import type { FileTallies, FileTally } from './normalise.js';
import type { SnapshotFile } from './snapshot.js';
import { REGISTRY_FOLDER } from './sources.js';

/** What the files of a feed are held against. */
export interface Measure {
  readonly feed: Pick<Feed, 'tolerance'>;
  readonly patterns: readonly FeedFile[];
  readonly lastGood: readonly LastGoodFile[];
}

/** Rows of a last good copy from which on halving is no ordinary day's work. */
export const SHRINK_ROWS = 1_000;

/**
 * Why files of a reading cannot be used: too much was rejected, or they have shrunk to less than half. All of them at
 * once: each refusal has the whole feed read again. Small files and members of families (names with `*`) may shrink:
 * what a publisher takes back would else be believed for ever.
 */
export function judgeFiles(
  files: readonly SnapshotFile[],
  tallies: FileTallies,
  measure: Measure,
): FeedError[] {
  return files.flatMap((file) => {
    const tally = tallies[file.id]!;
    const isRead = tally.unread !== true || !files.some((other) => isReadInstead(other, tallies));
    const refused = judgeRejections(file, tally, measure);
    return refused ?? (isRead ? judgeRows(file, tally, measure) : undefined) ?? [];
  });
}

/** A feed that knows two formats reads the better one of two files. */
function isReadInstead({ id, folder }: SnapshotFile, tallies: FileTallies): boolean {
  return folder !== REGISTRY_FOLDER && tallies[id]!.rows > 0;
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
  if (isFamily(patterns[file.pattern]!)) return undefined;
  const before = lastGood.find((kept) => isSuccessor(file, kept, patterns));
  if (!before || before.rows < SHRINK_ROWS || rows >= before.rows / 2) return undefined;
  return new FeedError('shrunk', file.id, `${rows} rows, the last good copy had ${before.rows}`);
}

/** Whether `file` is the next one of what `kept` was: of the same name, or of a series of dated names. */
function isSuccessor(file: SnapshotFile, kept: SnapshotFile, patterns: readonly FeedFile[]): boolean {
  return file.pattern === kept.pattern && (file.id === kept.id || patterns[file.pattern]?.take === 'latest');
}
