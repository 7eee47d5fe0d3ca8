import { daysUpTo, type Calendar } from '../calendar.js';
import { usageKey } from '../redis-keys.js';
import type { RedisConnection } from '../redis-connection.js';

/** Successful metered calls of an account, by day of the server's time zone. */
export interface Usage {
  readonly today: number;
  /** Sum of `daily`. */
  readonly monthTotal: number;
  /** Exactly 30 days, today last. `date` is ISO 8601. */
  readonly daily: readonly { readonly date: string; readonly count: number }[];
}

/** Reads the usage that the meters count. */
export interface UsageReader {
  /** Returns the usage of an account. Throws Failure(503) while Redis is unavailable. */
  usageOf(accountId: number): Promise<Usage>;
}

const DAYS = 30;

/** Usage in Redis: a hash by day for each account. */
export class RedisUsage implements UsageReader {
  constructor(
    private readonly redis: RedisConnection,
    private readonly calendar: Calendar,
  ) {}

  async usageOf(accountId: number): Promise<Usage> {
    const dates = daysUpTo(this.calendar.today().day, DAYS);
    const fields = dates.map((date) => date.replaceAll('-', ''));
    const counts = await this.redis.reply(this.redis.client.hmget(usageKey(accountId), ...fields));
    const daily = dates.map((date, i) => ({ date, count: Number(counts[i] ?? 0) }));
    const monthTotal = daily.reduce((sum, { count }) => sum + count, 0);
    return { today: daily.at(-1)!.count, monthTotal, daily };
  }
}
