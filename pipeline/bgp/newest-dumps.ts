import type { OpenFile } from '../feeds/feed.js';
import { FeedError } from '../feeds/feed-error.js';
import { collectorOf } from './rib-files.js';

/** A dump and when it was made. */
export interface DatedDump {
  readonly file: OpenFile;
  readonly collector: string;
  /** Of its first record, in seconds since 1970. */
  readonly time: number;
}

/** Which of a night's dumps are read. */
export interface ChosenDumps {
  /** Of each collector the newest; several of one time all are, since one may be damaged. */
  readonly newest: readonly DatedDump[];
  /** The others, left unread. */
  readonly older: readonly DatedDump[];
  /** Newest ones that are of another day than the night. */
  readonly stale: readonly FeedError[];
}

/**
 * Chooses the dumps to read. A night is `now` where that is known, else when the newest dump was made; a retired
 * collector goes on serving its last one.
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

/** The file as a dump made at `time`. */
export function datedDump(file: OpenFile, time: number): DatedDump {
  return { file, time, collector: collectorOf(file.name) };
}

const SECONDS_APART = 3 * 86_400;

function isOf(night: number, time: number): boolean {
  return Math.abs(night - time) <= SECONDS_APART;
}

function describe(time: number, night: number): string {
  return `made ${utc(time)}, more than 3 days from ${utc(night)}`;
}

function utc(time: number): string {
  return new Date(time * 1000).toISOString().slice(0, 16).replace('T', ' ');
}
