import { randomBytes } from 'node:crypto';
import { brotliCompressSync } from 'node:zlib';
import { Redis } from 'ioredis';
import t from 'tap';
import { newRedisForTest } from '../../pipeline/testing/redis-server.js';
import { WhoisCache } from './whois-cache.js';
import type { WhoisAnswer } from './whois-record.js';

const answerOf = (raw: string): WhoisAnswer => ({ kind: 'absent', raw });

/** Polls until a value is present, because writes are not awaited. */
async function eventually<T>(read: () => Promise<T | undefined>): Promise<T | undefined> {
  for (let n = 0; n < 100; n++) {
    const value = await read();
    if (value !== undefined) return value;
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  return undefined;
}

t.test('decision 25: an answer is cached for all processes for its TTL', async (t) => {
  const { url } = await newRedisForTest(t);
  const [one, other] = [new WhoisCache({ url }), new WhoisCache({ url })];
  const client = new Redis(url);
  t.teardown(() => {
    for (const cache of [one, other]) cache.close();
    client.disconnect();
  });
  await Promise.all([one.ready(5000), other.ready(5000)]);
  t.equal(await other.read('domain a.com'), undefined);
  void one.write('domain a.com', answerOf('x'.repeat(200_000)), 300);
  t.same(await eventually(() => other.read('domain a.com')), answerOf('x'.repeat(200_000)));
  const ttl = await client.ttl('ipatlas:whois:1:domain a.com');
  t.ok(ttl > 200 && ttl <= 300);

  void one.write('domain big.com', answerOf(randomBytes(100_000).toString('latin1')), 300);
  void one.write('domain last.com', answerOf(''), 300);
  await eventually(() => other.read('domain last.com'));
  await new Promise((resolve) => setTimeout(resolve, 200));
  t.equal(
    await client.exists('ipatlas:whois:1:domain big.com'),
    0,
    'a large incompressible answer is not cached',
  );

  const entry = (value: unknown) => brotliCompressSync(Buffer.from(JSON.stringify(value)));
  const bad = {
    junk: Buffer.from('junk'),
    json: brotliCompressSync(Buffer.from('{')),
    shape: entry({ key: 'domain b.com', answer: { kind: 'found' } }),
    'another key': entry({ key: 'domain c.com', answer: answerOf('') }),
    bomb: brotliCompressSync(Buffer.alloc(50_000_000)),
    empty: Buffer.alloc(0),
  };
  for (const [name, bytes] of Object.entries(bad)) {
    await client.set('ipatlas:whois:1:domain b.com', bytes);
    t.equal(await one.read('domain b.com'), undefined, name);
  }
  await client.del('ipatlas:whois:1:domain b.com');
  await client.lpush('ipatlas:whois:1:domain b.com', 'a list');
  t.equal(await one.read('domain b.com'), undefined, 'another type');
});

t.test('a stopped or missing Redis neither fails nor delays a call', async (t) => {
  const { url, pid } = await newRedisForTest(t);
  const cache = new WhoisCache({ url });
  t.teardown(() => {
    cache.close();
  });
  await cache.ready(5000);
  process.kill(pid, 'SIGSTOP');
  t.teardown(() => {
    process.kill(pid, 'SIGCONT');
  });
  for (let n = 0; n < 3; n++) {
    const before = performance.now();
    t.equal(await cache.read('domain a.com'), undefined);
    void cache.write('domain a.com', answerOf(''), 300);
    t.ok(performance.now() - before < 1000);
  }
  const nowhere = new WhoisCache({ socketPath: '/nonexistent/redis.sock' });
  t.equal(await nowhere.read('domain a.com'), undefined);
  await nowhere.write('domain a.com', answerOf(''), 300);
  nowhere.close();
});
