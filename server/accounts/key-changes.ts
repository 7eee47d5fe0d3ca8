import type { MeteringRedis } from '../metering/metering-redis.js';
import { CHANGES_CHANNEL } from './account-records.js';
import type { RedisAccounts } from './redis-accounts.js';

/**
 * Forgets keys when they change anywhere, and when news may have been missed, over a connection of its own. Call what
 * it returns to stop.
 */
export function hearKeyChanges(redis: MeteringRedis, accounts: RedisAccounts): () => void {
  const subscriber = redis.subscriber();
  const forget = (): void => {
    accounts.forgetSeen();
  };
  subscriber.on('message', forget);
  subscriber.on('ready', forget);
  // The other connection tells what is wrong with the same server.
  subscriber.on('error', () => undefined);
  // It waits for the first connection, and is refused only when this is closed before that.
  subscriber.subscribe(CHANGES_CHANNEL).catch(() => undefined);
  return () => {
    subscriber.disconnect();
  };
}
