import { acquireBuildLock } from '../build-lock.js';
import { openRedis } from '../open-redis.js';

/** Holds the build lock or the Redis of a folder until it is killed: `hold-process.js lock|redis <outputDir>`. */
const [what, outputDir = ''] = process.argv.slice(2);
const say = (text: string): void => void process.stdout.write(`${text}\n`);
if (what === 'lock') {
  acquireBuildLock(outputDir);
} else {
  try {
    await openRedis({ redisUrl: process.env['REDIS_URL'], outputDir, log: say });
  } catch (error) {
    say(String(error));
    process.exit(1);
  }
}
say('held');
setInterval(() => undefined, 60_000);
