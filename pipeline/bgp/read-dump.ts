import { FeedError, type Refusal } from '../input/feed-error.js';
import type { OpenFile } from '../input/published-source.js';
import type { Tally } from '../input/tally.js';
import { readUnpacked } from '../input/containers/unpacked-file.js';
import { DumpReader } from './dump-reader.js';
import { MrtError } from './mrt-error.js';
import { MrtFrames } from './mrt-frame.js';
import type { RouteSink } from './route-sink.js';

/**
 * Reads a dump's routes into the sink. Throws FeedError: `header` if it is not a sequence of MRT records or contains no
 * routes, `truncated` if the last record is incomplete, `tolerance` if a larger share of its records is bad, and the
 * errors of its container.
 */
export async function readDump(
  file: OpenFile,
  sink: RouteSink,
  { tally, tolerance }: { readonly tally: Tally; readonly tolerance: number },
): Promise<void> {
  const reader = new DumpReader(sink, tally);
  const frames = new MrtFrames(reader);
  await wrapped(file, 'header', async () => {
    for await (const chunk of readUnpacked(file)) frames.push(chunk);
  });
  await wrapped(file, 'truncated', () => {
    frames.end();
  });
  if (reader.routeRecords === 0) {
    throw new FeedError('header', file.id, `none of its ${tally.rows} MRT records contains routes`);
  }
  const { rows, rejected, rejections } = tally;
  if (rejected <= rows * tolerance) return;
  const reasons = Object.entries(rejections).map(([reason, { count }]) => `${reason} ${count}`);
  throw new FeedError(
    'tolerance',
    file.id,
    `${rejected} of ${rows} records are bad (${reasons.join(', ')}), allowed: ${tolerance * 100} %`,
  );
}

/** Returns the time of a dump's first record, in seconds since 1970. Throws FeedError as `readDump` does. */
export async function readDumpTime(file: OpenFile): Promise<number> {
  let time: number | undefined;
  const frames = new MrtFrames({
    record: (record) => {
      time ??= record.time;
    },
  });
  await wrapped(file, 'header', async () => {
    // This look at the first record must not count as reading the file.
    for await (const chunk of readUnpacked({ ...file, onRead: () => undefined })) {
      frames.push(chunk);
      if (time !== undefined) return;
    }
  });
  await wrapped(file, 'truncated', () => {
    if (time === undefined) frames.end();
  });
  if (time === undefined) throw new FeedError('truncated', file.id, 'the dump is empty');
  return time;
}

async function wrapped(file: OpenFile, refusal: Refusal, run: () => Promise<void> | void): Promise<void> {
  try {
    await run();
  } catch (error) {
    if (!(error instanceof MrtError)) throw error;
    throw new FeedError(refusal, file.id, error.message, { cause: error });
  }
}
