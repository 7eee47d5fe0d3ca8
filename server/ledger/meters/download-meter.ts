import type { DatasetName } from '../../release/snapshot.js';
import type { Calendar, CalendarMoment } from '../calendar.js';
import { accountSubjectId, shardPrefix, usageKey } from '../redis-keys.js';
import type { RedisMemory } from '../redis-memory.js';
import type { RedisConnection, Scripts } from '../redis-connection.js';
import { COUNT_USAGE } from './count-usage.js';

/** Downloads of one dataset by one account, per clock hour and calendar day of the server's time zone (decision 39). */
export const DOWNLOADS = { perHour: 5, perDay: 30 } as const;

/** Deltas and rows of one dataset by one account: as many as fit a customer with several machines (decision 86). */
export const CHANGE_DOWNLOADS = { perHour: 60, perDay: 300 } as const;

/** What is counted apart: the files of a dataset, and its changes. */
export type MeteredName = DatasetName | `${DatasetName}-changes`;

/** Returns the limits of downloads of one kind. */
export function limitsOf(name: MeteredName): { readonly perHour: number; readonly perDay: number } {
  return name.endsWith('-changes') ? CHANGE_DOWNLOADS : DOWNLOADS;
}

/** The result of taking a download. Both counts include a granted download. */
export type DownloadAdmission = GrantedDownload | RefusedDownload;

/** A download that may be sent. */
export interface GrantedDownload {
  readonly hourUsed: number;
  readonly dayUsed: number;
  readonly refused?: undefined;
  /** Refunds a download that failed before its first byte, once. Throws Failure(503). */
  refund(): Promise<void>;
}

/** A download over the limit. */
interface RefusedDownload {
  readonly hourUsed: number;
  readonly dayUsed: number;
  readonly refused: {
    readonly limit: number;
    /** Unix seconds. */
    readonly resetAt: number;
  };
}

/** Counts downloads. */
export interface DownloadMeter {
  /**
   * Takes a download of the hour and of the day, and counts it in the account's usage, in one atomic step. Throws
   * Failure(503) while Redis is unavailable.
   */
  take(accountId: number, dataset: MeteredName): Promise<DownloadAdmission>;
}

/**
 * Takes a download of the hour and of the day and counts it in usage. KEYS: hour, day, usage. ARGV: per hour, per day,
 * `YYYYMMDD`. Returns whether it was granted (1 or 0), and the downloads used of the hour and of the day.
 */
const TAKE = `
${COUNT_USAGE}
local hour = tonumber(redis.call('GET', KEYS[1]) or 0)
local day = tonumber(redis.call('GET', KEYS[2]) or 0)
if hour >= tonumber(ARGV[1]) or day >= tonumber(ARGV[2]) then return {0, hour, day} end
redis.call('SET', KEYS[1], hour + 1, 'EX', 7200)
redis.call('SET', KEYS[2], day + 1, 'EX', 93600)
countUsage(KEYS[3], ARGV[3], 1)
return {1, hour + 1, day + 1}
`;

/** Refunds a download of the hour, of the day and in usage, to 0 at least. KEYS: hour, day, usage. ARGV: `YYYYMMDD`. */
const REFUND = `
for i = 1, 2 do
  if tonumber(redis.call('GET', KEYS[i]) or 0) > 0 then redis.call('DECR', KEYS[i]) end
end
if tonumber(redis.call('HGET', KEYS[3], ARGV[1]) or 0) > 0 then redis.call('HINCRBY', KEYS[3], ARGV[1], -1) end
`;

interface DownloadCommands {
  takeDownload(
    hourKey: string,
    dayKey: string,
    usageKey: string,
    perHour: number,
    perDay: number,
    date: string,
  ): Promise<[0 | 1, number, number]>;
  refundDownload(hourKey: string, dayKey: string, usageKey: string, date: string): Promise<null>;
}

const DOWNLOAD_SCRIPTS: Scripts<DownloadCommands> = {
  takeDownload: { lua: TAKE, numberOfKeys: 3 },
  refundDownload: { lua: REFUND, numberOfKeys: 3 },
};

/** The download meter in Redis: two counters per account and dataset. */
export class RedisDownloadMeter implements DownloadMeter {
  readonly #commands: DownloadCommands;

  constructor(
    private readonly redis: RedisConnection,
    private readonly calendar: Calendar,
    private readonly memory: RedisMemory,
  ) {
    this.#commands = redis.withScripts<DownloadCommands>(DOWNLOAD_SCRIPTS);
  }

  async take(accountId: number, dataset: MeteredName): Promise<DownloadAdmission> {
    const moment = this.calendar.today();
    const keys = keysOf(accountId, dataset, moment);
    const { perHour, perDay } = limitsOf(dataset);
    const take = () => this.#commands.takeDownload(...keys, perHour, perDay, moment.day);
    const [granted, hourUsed, dayUsed] = await this.redis.reply(this.memory.withRoom(take));
    if (granted === 1) return { hourUsed, dayUsed, refund: this.#refundOf(keys, moment.day) };
    const refused =
      dayUsed >= perDay
        ? { limit: perDay, resetAt: moment.nextMidnight }
        : { limit: perHour, resetAt: moment.nextHour };
    return { hourUsed, dayUsed, refused };
  }

  #refundOf(keys: DownloadKeys, day: string): () => Promise<void> {
    let isTaken = true;
    return async () => {
      if (!isTaken) return;
      isTaken = false;
      await this.redis.reply(this.memory.withRoom(() => this.#commands.refundDownload(...keys, day)));
    };
  }
}

type DownloadKeys = readonly [hour: string, day: string, usage: string];

function keysOf(accountId: number, dataset: MeteredName, { hour, day }: CalendarMoment): DownloadKeys {
  const id = accountSubjectId(accountId);
  const prefix = `${shardPrefix(id)}dl:${id}:${dataset}:`;
  return [`${prefix}h${hour}`, `${prefix}d${day}`, usageKey(accountId)];
}
