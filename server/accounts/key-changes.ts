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
  // What changed before the subscription was in place was told to nobody.
  const listen = (): void => {
    subscriber.subscribe(CHANGES_CHANNEL).then(forget, () => undefined);
  };
  subscriber.on('ready', listen);
  // The other connection tells what is wrong with the same server.
  subscriber.on('error', () => undefined);
  return () => {
    subscriber.disconnect();
  };
}
