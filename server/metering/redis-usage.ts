import { askRedis } from './ask-redis.js';
import { daysUpTo, type Calendar } from './calendar.js';
import type { MeteringRedis } from './metering-redis.js';
import { usageKey } from './redis-keys.js';
import type { Usage, UsageReader } from './usage.js';

const DAYS = 30;

/** Usage as the admission script counts it: a hash by day. */
export class RedisUsage implements UsageReader {
  constructor(
    private readonly redis: MeteringRedis,
    private readonly calendar: Calendar,
  ) {}

  async usageOf(accountId: number): Promise<Usage> {
    const dates = daysUpTo(this.calendar.today().day, DAYS);
    const fields = dates.map((date) => date.replaceAll('-', ''));
    const counts = await askRedis(this.redis, this.redis.client.hmget(usageKey(accountId), ...fields));
    const daily = dates.map((date, i) => ({ date, count: Number(counts[i] ?? 0) }));
    const monthTotal = daily.reduce((sum, { count }) => sum + count, 0);
    return { today: daily.at(-1)!.count, monthTotal, daily };
  }
}
