import { LRUCache } from 'lru-cache';
import type { DatasetName } from '../release/snapshot.js';
import type { Calendar, CalendarMoment } from './calendar.js';
import { DOWNLOADS, type DownloadAdmission, type DownloadMeter } from './download-meter.js';
import type { MeteringRedis } from './metering-redis.js';
import { accountSubjectId, shardPrefix, usageKey } from './redis-keys.js';
import { asked } from './redis-usage.js';

/** Accounts and datasets whose last hour and day are remembered. */
const MOST_REMEMBERED = 10_000;

type HourAndDay = readonly [hourKey: string, dayKey: string];

/** Downloads in Redis: two counters per account and dataset. */
export class RedisDownloadMeter implements DownloadMeter {
  /** What was charged last, for the case that the hour ends before it is given back. */
  readonly #charged = new LRUCache<string, HourAndDay>({ max: MOST_REMEMBERED });

  constructor(
    private readonly redis: MeteringRedis,
    private readonly calendar: Calendar,
  ) {}

  async take(accountId: number, dataset: DatasetName): Promise<DownloadAdmission> {
    const moment = this.calendar.today();
    const keys = keysOf(accountId, dataset, moment);
    const { perHour, perDay } = DOWNLOADS;
    const command = this.redis.client.takeDownload(...keys, perHour, perDay);
    const [granted, hourUsed, dayUsed] = await asked(this.redis, command);
    if (granted === 1) {
      this.#charged.set(`${accountId}:${dataset}`, keys);
      return { hourUsed, dayUsed };
    }
    const refused =
      dayUsed >= perDay
        ? { limit: perDay, resetAt: moment.nextMidnight }
        : { limit: perHour, resetAt: moment.nextHour };
    return { hourUsed, dayUsed, refused };
  }

  async giveBack(accountId: number, dataset: DatasetName): Promise<void> {
    const keys =
      this.#charged.get(`${accountId}:${dataset}`) ?? keysOf(accountId, dataset, this.calendar.today());
    await asked(this.redis, this.redis.client.giveBackDownload(...keys));
  }

  async countUsage(accountId: number): Promise<void> {
    await asked(this.redis, this.redis.client.countUsage(usageKey(accountId), this.calendar.today().day));
  }
}

function keysOf(accountId: number, dataset: DatasetName, { hour, day }: CalendarMoment): HourAndDay {
  const id = accountSubjectId(accountId);
  const prefix = `${shardPrefix(id)}dl:${id}:${dataset}:`;
  return [`${prefix}h${hour}`, `${prefix}d${day}`];
}
