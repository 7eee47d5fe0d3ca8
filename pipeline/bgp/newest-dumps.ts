import type { OpenFile } from '../input/published-source.js';
import { FeedError } from '../input/feed-error.js';
import { collectorOf } from './rib-files.js';

/** A dump with its collector and time. */
export interface DatedDump {
  readonly file: OpenFile;
  readonly collector: string;
  /** The time of its first record, in seconds since 1970. */
  readonly time: number;
}

/** The selection of the dumps of a night. */
export interface ChosenDumps {
  /** The dumps to read: the newest of each collector. Several of equal time are all read, since one may be damaged. */
  readonly newest: readonly DatedDump[];
  /** Older dumps of the same collectors; not read. */
  readonly older: readonly DatedDump[];
  /** Newest dumps of a collector that are more than three days from the night; rejected. */
  readonly stale: readonly FeedError[];
}

/**
 * Chooses the dumps to read. The time of the night is `now` if given, else that of the newest dump. Stale dumps occur
 * because the last dump of a retired collector stays online.
 */
export function chooseDumps(dumps: readonly DatedDump[], now: Date | undefined): ChosenDumps {
  const latest = new Map<string, number>();
  for (const { collector, time } of dumps) {
    latest.set(collector, Math.max(time, latest.get(collector) ?? 0));
  }
  const isNewest = ({ collector, time }: DatedDump): boolean => time === latest.get(collector);
  const night = now ? now.getTime() / 1000 : Math.max(...latest.values());
  const newest = dumps.filter(isNewest);
  return {
    newest: newest.filter(({ time }) => isOf(night, time)),
    older: dumps.filter((dump) => !isNewest(dump)),
    stale: newest
      .filter(({ time }) => !isOf(night, time))
      .map(({ file, time }) => new FeedError('stale', file.id, describe(time, night))),
  };
}

/** Returns the dump of a file with its collector. `time` is in seconds since 1970. */
export function datedDump(file: OpenFile, time: number): DatedDump {
  return { file, time, collector: collectorOf(file.name) };
}

const SECONDS_APART = 3 * 86_400;

function isOf(night: number, time: number): boolean {
  return Math.abs(night - time) <= SECONDS_APART;
}

function describe(time: number, night: number): string {
  return `the dump is from ${utc(time)}, more than 3 days from ${utc(night)}`;
}

function utc(time: number): string {
  return new Date(time * 1000).toISOString().slice(0, 16).replace('T', ' ');
}
