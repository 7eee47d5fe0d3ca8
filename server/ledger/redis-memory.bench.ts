import { Redis } from 'ioredis';
import t, { type Test } from 'tap';
import { parseMemory } from './redis-memory.js';
import { accountSubject, anonymousSubject, type Subject } from './subject.js';
import { newLedgerForTest } from './testing/ledger.js';

// Calls of a million sources without a key, with one call of an account per hundred: the memory of Redis, with and
// without the limit of the private server, and the refused calls.

const SOURCES = 1_000_000;
const AT_ONCE = 1000;
const LIMIT = '512mb';

const FAMILIES: Readonly<Record<string, (n: number) => string>> = {
  'IPv4 addresses': (n) => `10.${n >> 16}.${(n >> 8) & 255}.${n & 255}`,
  'IPv6 /64, each in its own /48': (n) => `2001:${(n >> 16).toString(16)}:${(n & 65_535).toString(16)}::1`,
};

async function attack(t: Test, name: string, maxMemory: string): Promise<void> {
  const { ledger, url } = await newLedgerForTest(t, { log: (line) => process.stdout.write(`#   ${line}\n`) });
  const redis = new Redis(url);
  await redis.config('SET', 'maxmemory', maxMemory);
  const { account } = await ledger.accounts.createKey({ email: 'a@example.com', plan: 'enterprise' });
  const keyed: Subject = { ...accountSubject(account), requestsPerMinute: 1_000_000 };
  const before = parseMemory(await redis.info('memory')).usedBytes;
  const refused = { keyed: 0, anonymous: 0 };
  const began = performance.now();
  for (let n = 0; n < SOURCES; n += AT_ONCE) {
    const calls = Array.from({ length: AT_ONCE }, async (_, i) => {
      const subject = anonymousSubject(FAMILIES[name]!(n + i));
      if ((await ledger.meter.charge(subject, { credits: 0 })).refused) refused.anonymous++;
    });
    for (let i = 0; i < AT_ONCE / 100; i++)
      calls.push(
        ledger.meter.charge(keyed, { credits: 1 }).then((admission) => {
          if (admission.refused) refused.keyed++;
        }),
      );
    await Promise.all(calls);
  }
  const seconds = (performance.now() - began) / 1000;
  const { usedBytes } = parseMemory(await redis.info('memory'));
  const megabytes = Math.round(usedBytes / 1024 / 1024);
  const each = Math.round((usedBytes - before) / SOURCES);
  process.stdout.write(
    `# ${name}, maxmemory ${maxMemory}: ${megabytes} MB, ${each} bytes per source; ${seconds.toFixed(0)} s; refused ` +
      `${refused.keyed} calls with a key, ${refused.anonymous} without\n`,
  );
  redis.disconnect();
}

t.setTimeout(0);
t.test('a million sources without a key', async (t) => {
  t.setTimeout(0);
  for (const maxMemory of ['0', LIMIT])
    for (const name of Object.keys(FAMILIES)) await attack(t, name, maxMemory);
});
