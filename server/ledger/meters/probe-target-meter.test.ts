import t from 'tap';
import { newRedisForTest } from '../../../pipeline/testing/redis-server.js';
import { newLedgerForTest, openForTest } from '../testing/ledger.js';
import { Redis } from 'ioredis';

const HOUR = Date.parse('2026-11-21T10:00:00Z');
const hosts = (count: number): string[] =>
  Array.from({ length: count }, (_, i) => `198.51.${i >> 8}.${i & 255}`);

t.test(
  'decision 67: 300 hosts an hour per account, exact over two processes; known hosts stay admitted',
  async (t) => {
    let now = HOUR;
    const { ledger, url } = await newLedgerForTest(t, { now: () => now });
    const other = await openForTest(t, url, { now: () => now });
    const take = (ip: string, i: number, account = 1) =>
      (i % 2 === 0 ? ledger : other).probeTargets.take(account, { ip, port: 443 });
    const asked = [...hosts(350), ...hosts(350)];
    const found = await Promise.all(asked.map((ip, i) => take(ip, i)));
    const admitted = new Set(asked.filter((_, i) => found[i] === undefined));
    t.equal(admitted.size, 300);
    t.same(
      found.find((refused) => refused !== undefined),
      { what: 'hosts', limit: 300, resetAt: HOUR / 1000 + 3600 },
    );
    for (const [i, ip] of [...admitted].entries()) t.equal(await take(ip, i), undefined, ip);
    t.match(await take('2001:db8::1', 0), { what: 'hosts' }, 'IPv6 counts too');
    t.equal(await take('198.51.100.99', 0, 2), undefined, 'another account has its own limit');
    now += 3_600_000;
    t.equal(await take('2001:db8::1', 0), undefined, 'the next hour begins anew');
  },
);

t.test('decision 67: 100 ports an hour; a refused target is counted in neither set', async (t) => {
  const { ledger, url } = await newLedgerForTest(t, { now: () => HOUR });
  const take = (ip: string, port: number) => ledger.probeTargets.take(7, { ip, port });
  for (let port = 1; port <= 100; port++) t.equal(await take('198.51.100.1', port), undefined);
  t.same(await take('198.51.100.2', 101), { what: 'ports', limit: 100, resetAt: HOUR / 1000 + 3600 });
  t.equal(await take('198.51.100.2', 100), undefined);
  const redis = new Redis(url);
  t.teardown(() => {
    redis.disconnect();
  });
  const keys = (await redis.keys('*pt:account:7:*')).sort();
  t.equal(keys.length, 2);
  t.same(await Promise.all(keys.map((key) => redis.scard(key))), [2, 100]);
  for (const key of keys) {
    const ttl = await redis.ttl(key);
    t.ok(ttl > 3600 && ttl <= 7200, `${key} expires in ${ttl} s`);
  }
});

t.test('the sets of an account with the most IPv4 hosts and ports take less than 10 kB', async (t) => {
  const { ledger, url } = await newLedgerForTest(t, { now: () => HOUR });
  for (const [i, ip] of hosts(300).entries())
    await ledger.probeTargets.take(7, { ip, port: 1024 + (i % 100) });
  const redis = new Redis(url);
  t.teardown(() => {
    redis.disconnect();
  });
  const keys = await redis.keys('*pt:account:7:*');
  const sizes = await Promise.all(keys.map(async (key) => Number(await redis.memory('USAGE', key))));
  const bytes = sizes.reduce((sum, size) => sum + size, 0);
  t.ok(bytes < 10_000, `${bytes} bytes`);
});

t.test('decision 10: without Redis a probe is 503', async (t) => {
  const redis = await newRedisForTest(t);
  const ledger = await openForTest(t, redis.url);
  process.kill(redis.pid, 'SIGKILL');
  await t.rejects(ledger.probeTargets.take(1, { ip: '198.51.100.1', port: 80 }), { code: 503 });
});
