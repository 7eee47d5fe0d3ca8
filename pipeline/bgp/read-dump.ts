import { FeedError, type Refusal } from '../feeds/feed-error.js';
import type { OpenFile } from '../feeds/feed.js';
import type { Tally } from '../feeds/tally.js';
import { readUnpacked } from '../feeds/unpacked-file.js';
import { DumpReader } from './dump-reader.js';
import { MrtError } from './mrt-error.js';
import { MrtFrames } from './mrt-frame.js';
import type { RouteSink } from './route-sink.js';

/**
 * Reads a dump's routes into the sink. Throws FeedError: `header` when it is no chain of MRT records or none of them
 * holds routes, `truncated` when its end is not there, `tolerance` when more than that share of its records is bad,
 * and what its container is refused for.
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
    throw new FeedError('header', file.id, `no routes in its ${tally.rows} MRT records`);
  }
  const { rows, rejected, rejections } = tally;
  if (rejected <= rows * tolerance) return;
  const reasons = Object.entries(rejections).map(([reason, { count }]) => `${reason} ${count}`);
  throw new FeedError('tolerance', file.id, `${rejected} of ${rows} records are bad (${reasons.join(', ')})`);
}

/** When a dump was made: the time of its first record, in seconds since 1970. Throws FeedError as `readDump` does. */
export async function readDumpTime(file: OpenFile): Promise<number> {
  let time: number | undefined;
  const frames = new MrtFrames({
    record: (record) => {
      time ??= record.time;
    },
  });
  await wrapped(file, 'header', async () => {
    // Looking at a file is not reading it.
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
