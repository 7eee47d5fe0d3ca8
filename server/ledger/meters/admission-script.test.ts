import { Redis } from 'ioredis';
import t, { type Test } from 'tap';
import { Random } from '../../../pipeline/fuzz/random.js';
import { newRedisForTest } from '../../../pipeline/testing/redis-server.js';
import { ADMISSION_SCRIPTS, type AdmissionCommands } from './admission-script.js';

/** An operation of one source on meters whose names begin with a prefix. */
interface Operation {
  readonly letter: string;
  readonly keys: readonly string[];
  readonly args: readonly string[];
  readonly times: number;
}

/** Makes an operation on the meters of one of three sources of a round. Letters in capitals have wider networks. */
function anyOperation(random: Random, round: number): Operation {
  const letter = random.pick(['c', 'c', 'n', 'u', 'C', 'N']);
  const isWide = letter < 'a';
  const source = `${round}:${isWide ? 'wide' : random.below(2)}`;
  const wider = isWide ? ['0', '1'] : [];
  const [minute, day] = ['m', 'd'].map((meter) => ['', ...wider].map((level) => `${meter}${source}${level}`));
  const times = 1 + random.below(8);
  const limit = random.pick(['3', '10', '1000']);
  if (letter === 'n' || letter === 'N') return { letter, keys: minute!, args: [limit], times };
  const hasCredits = !isWide && random.once(2);
  const keys = [...minute!, ...day!, ...(hasCredits ? [`c${source}`, `u${source}`] : [])];
  const limits = [limit, random.pick(['0', '4', '12']), hasCredits ? random.pick(['5', '20']) : '-1'];
  return { letter, keys, args: [...limits, random.pick(['0', '1', '3']), '20261125'], times };
}

const LATE = String(2 ** 50);

/** Lists operations for the script: repeated with `*`, or each one by itself. */
function listed(
  operations: readonly Operation[],
  prefix: string,
  isJoined: boolean,
): { readonly keys: string[]; readonly args: string[] } {
  const [keys, args]: [string[], string[]] = [[], [LATE]];
  for (const { letter, times, ...operation } of operations) {
    if (isJoined) args.push('*', String(times));
    for (let n = 0; n < (isJoined ? 1 : times); n++) {
      keys.push(...operation.keys.map((key) => prefix + key));
      args.push(letter, ...operation.args);
    }
  }
  return { keys, args };
}

async function redisWithScript(t: Test): Promise<Redis & AdmissionCommands> {
  const { url } = await newRedisForTest(t);
  const redis = new Redis(url) as Redis & AdmissionCommands;
  t.teardown(() => {
    redis.disconnect();
  });
  redis.defineCommand('admit', ADMISSION_SCRIPTS.admit);
  return redis;
}

t.test('a full Redis refuses all of the repeated operations, and none has an effect', async (t) => {
  const redis = await redisWithScript(t);
  await redis.config('SET', 'maxmemory', '1');
  const operation = { letter: 'c', keys: ['m', 'd'], args: ['10', '10', '-1', '0', '20261125'], times: 3 };
  const { keys, args } = listed([operation], '', true);
  t.same(await redis.admit(keys.length, keys, args), [-2, -2, -2]);
  t.same(await redis.keys('*'), []);
});

t.test('repeated operations do and answer the same as single ones, with all limits', async (t) => {
  const redis = await redisWithScript(t);
  const random = new Random(20);
  const seen = new Set<string>();
  for (let round = 0; round < 300; round++) {
    for (let batch = 0; batch < 3; batch++) {
      const operations = Array.from({ length: 1 + random.below(4) }, () => anyOperation(random, round));
      const [joined, single] = await Promise.all(
        [true, false].map(async (isJoined) => {
          const { keys, args } = listed(operations, isJoined ? 'j' : 's', isJoined);
          return (await redis.admit(keys.length, keys, args)).map((reply) => {
            const msLeft = Math.floor(reply / 16) % 65536;
            return [Math.floor(reply / 2 ** 20), msLeft > 50_000 || msLeft, (reply >> 2) & 3, reply & 3];
          });
        }),
      );
      t.same(joined, single, JSON.stringify(operations));
      for (const [, , , result] of joined!) seen.add(String(result));
    }
  }
  t.same([...seen].sort(), ['0', '1', '2', '3'], 'all results have occurred');
  t.same(await valuesOf(redis, 'j'), await valuesOf(redis, 's'));
});

/** Returns the values of all keys with a prefix, by the rest of the key, with the minutes until they expire. */
async function valuesOf(redis: Redis, prefix: string): Promise<Readonly<Record<string, unknown>>> {
  const keys = (await redis.keys(`${prefix}*`)).sort();
  const values = keys.map(async (key) => [
    key.slice(prefix.length),
    (await redis.type(key)) === 'hash' ? await redis.hgetall(key) : await redis.get(key),
    Math.ceil((await redis.pttl(key)) / 60_000),
  ]);
  return Object.fromEntries((await Promise.all(values)).map(([key, ...value]) => [key as string, value]));
}
