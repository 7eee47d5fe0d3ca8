import type { DatasetName } from '../release/snapshot.js';
import { askRedis } from './ask-redis.js';
import type { Calendar, CalendarMoment } from './calendar.js';
import { DOWNLOADS, type DownloadAdmission, type DownloadMeter } from './download-meter.js';
import type { MeteringRedis } from './metering-redis.js';
import { accountSubjectId, shardPrefix, usageKey } from './redis-keys.js';

/** Downloads in Redis: two counters per account and dataset. */
export class RedisDownloadMeter implements DownloadMeter {
  constructor(
    private readonly redis: MeteringRedis,
    private readonly calendar: Calendar,
  ) {}

  async take(accountId: number, dataset: DatasetName): Promise<DownloadAdmission> {
    const moment = this.calendar.today();
    const keys = keysOf(accountId, dataset, moment);
    const { perHour, perDay } = DOWNLOADS;
    const command = this.redis.client.takeDownload(...keys, perHour, perDay, moment.day);
    const [granted, hourUsed, dayUsed] = await askRedis(this.redis, command);
    if (granted === 1) return { hourUsed, dayUsed, giveBack: this.#giverOf(keys, moment.day) };
    const refused =
      dayUsed >= perDay
        ? { limit: perDay, resetAt: moment.nextMidnight }
        : { limit: perHour, resetAt: moment.nextHour };
    return { hourUsed, dayUsed, refused };
  }

  #giverOf(keys: DownloadKeys, day: string): () => Promise<void> {
    let isTaken = true;
    return async () => {
      if (!isTaken) return;
      isTaken = false;
      await askRedis(this.redis, this.redis.client.giveBackDownload(...keys, day));
    };
  }
}

type DownloadKeys = readonly [hour: string, day: string, usage: string];

function keysOf(accountId: number, dataset: DatasetName, { hour, day }: CalendarMoment): DownloadKeys {
  const id = accountSubjectId(accountId);
  const prefix = `${shardPrefix(id)}dl:${id}:${dataset}:`;
  return [`${prefix}h${hour}`, `${prefix}d${day}`, usageKey(accountId)];
}
