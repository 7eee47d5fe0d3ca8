import { openAccountsRedis } from '../accounts-redis.js';

/** Uses the Redis of accounts of an output folder: `hold-accounts.js <outputDir>`, until stdin ends or it is killed. */
const [outputDir = ''] = process.argv.slice(2);
const say = (text: string): void => void process.stdout.write(`${text}\n`);
try {
  const redis = await openAccountsRedis({ redisUrl: undefined, outputDir, log: say });
  say(`uses ${redis.name}`);
  process.stdin.resume().once('end', () => {
    void redis.stop().then(() => process.exit(0));
  });
} catch (error) {
  say(String(error));
  process.exit(1);
}
