import { randomBytes } from 'node:crypto';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { Redis } from 'ioredis';
import { pino } from 'pino';
import t, { type Test } from 'tap';
import { startUpstream } from '../egress/testing/loopback-world.js';
import { parseMemory } from '../ledger/redis-memory.js';
import { until } from '../nodes/testing/until.js';
import { DnsServer } from '../testing/dns-server.js';
import { runServer, type TestServer } from '../testing/running-server.js';
import { TEST_IDENTITY } from '../testing/tls-identity.js';
import { REGISTRAR_DOMAIN } from '../whois/rdap/testing/rdap-samples.js';
import { BEHIND_PROXY, from, newCustomer, plainRedis, type Customer } from './testing/callers.js';

const RDAP_HOST = 'rdap.test-upstream.example.com';
const dns = await DnsServer.start({ [RDAP_HOST]: { addresses: ['127.0.0.1'] } });
t.teardown(() => dns.close());

/** Number of questions to the registry. */
let asked = 0;
/** Answers for every domain, each with 45 kB that do not compress. */
const registry = await startUpstream(t, ({ url = '' }, response) => {
  asked++;
  const description = [randomBytes(30_000).toString('base64')];
  const ldhName = url.replace('/domain/', '');
  response.end(JSON.stringify({ ...REGISTRAR_DOMAIN, ldhName, remarks: [{ description }] }));
});

/** Starts a server that has the registry. Returns it with the lines of its log that belong to no request. */
async function startWithWhois(t: Test): Promise<{ server: TestServer; redis: Redis; lines: string[] }> {
  const rdapDir = join(t.testdir({}), 'rdap');
  mkdirSync(rdapDir);
  for (const [name, key] of Object.entries({
    dns: 'com',
    ipv4: '193.0.0.0/8',
    ipv6: '2001::/23',
    asn: '1-2',
  }))
    writeFileSync(
      join(rdapDir, `${name}.json`),
      JSON.stringify({ services: [[[key], [`https://${RDAP_HOST}:${registry.port}/`]]] }),
    );
  const lines: string[] = [];
  const log = pino(
    { level: 'info' },
    {
      write: (line: string) => {
        if (!line.includes('"method"')) lines.push(line);
      },
    },
  );
  const server = await runServer(t, {
    ...BEHIND_PROXY,
    dnsServers: [dns.address],
    rdapDirs: [rdapDir],
    upstreams: {
      ...{ whoisRoot: 'whois.test-root.example.com', whoisPort: 43, dohResolvers: [] },
      extraAuthorities: TEST_IDENTITY.authority,
    },
    log,
  });
  return { server, redis: plainRedis(t, server), lines };
}

async function usedBytesOf(redis: Redis): Promise<number> {
  return parseMemory(await redis.info('memory')).usedBytes;
}

/** Limits the memory of Redis to what it uses and some bytes more. */
async function leave(redis: Redis, bytes: number): Promise<void> {
  await redis.config('SET', 'maxmemory', String((await usedBytesOf(redis)) + bytes));
}

/** Looks up domains, ten at a time. Returns the distinct answers as HTTP status and code. */
async function lookUp(server: TestServer, names: readonly string[], { headers }: Pick<Customer, 'headers'>) {
  const answers = new Set<string>();
  for (let i = 0; i < names.length; i += 10) {
    const some = names.slice(i, i + 10).map((name) => server.get(`/api/whois/${name}`, headers));
    for (const { status, body } of await Promise.all(some))
      answers.add(`${status} ${(body as { code: number }).code}`);
  }
  return [...answers];
}

function domains(prefix: string, count: number): string[] {
  return Array.from({ length: count }, (_, n) => `${prefix}-${n}.com`);
}

t.test(
  'decision 70: answers of whois are not cached once they would take the memory of accounts',
  async (t) => {
    const { server, redis, lines } = await startWithWhois(t);
    const customer = await newCustomer(server, 'pro');
    const limitBytes = 64 * 1024 * 1024;
    for (let n = 0; (await usedBytesOf(redis)) < 0.78 * limitBytes; n++)
      await redis.set(`foreign-${n}`, randomBytes(64_000));
    await redis.config('SET', 'maxmemory', String(limitBytes));
    const started = lines.length;
    let lookups = 0;
    for (; lines.length === started; lookups += 10) {
      const some = domains(`first-${lookups}`, 10);
      t.same(await lookUp(server, some, customer), ['200 0']);
    }
    t.match(lines.at(-1), /Redis uses \d\d % of its memory limit/);
    t.ok((await redis.keys('ipatlas:whois:*')).length > 10, 'answers were cached until then');
    const before = asked;
    for (let n = 0; n < 2; n++, lookups += 10)
      t.same(await lookUp(server, domains('later', 10), customer), ['200 0']);
    t.equal(asked - before, 20, 'the registry is asked each time');
    t.same(await redis.keys('ipatlas:whois:*later*'), []);
    t.equal(await customer.credits(), 50_000 - lookups, 'each lookup is paid');
    t.equal(await customer.usedToday(), lookups);
    const { key } = await server.accounts.createKey({ email: 'new@example.com' });
    t.match(await server.accounts.authenticate(key), { kind: 'account' });
    t.equal(lines.length, started + 1, 'one line is logged');
  },
);

t.test('decision 70: a Redis without any memory loses no account, key or credit', async (t) => {
  const { server, redis, lines } = await startWithWhois(t);
  const customer = await newCustomer(server, 'enterprise');
  const { account, key } = customer;
  t.same(await lookUp(server, domains('known', 3), customer), ['200 0']);
  const dump = async (): Promise<unknown> => {
    const names = (await redis.keys('*')).filter((name) => !/:ip:|whois/.test(name)).sort();
    return await Promise.all(
      names.map(async (name) => [name, (await redis.dumpBuffer(name)).toString('hex')]),
    );
  };
  const before = await dump();
  await leave(redis, -500_000);
  const started = lines.length;
  t.same(await lookUp(server, domains('paid', 20), customer), ['503 503'], 'calls with a key are refused');
  await until('the process knows that memory is tight', () => lines.length > started);
  t.same(await lookUp(server, domains('free', 20), { headers: from('192.0.2.1') }), ['200 0']);
  t.same(await lookUp(server, domains('free', 5), { headers: from('192.0.2.1') }), ['200 0'], 'again');
  t.same(await redis.keys('ipatlas:whois:*'), [], 'the cache was emptied and is not filled');
  await t.rejects(server.accounts.createKey({ email: 'b@example.com' }), /OOM/);
  await t.rejects(server.accounts.setPlan(account.email, 'pro'), /OOM/);
  await t.rejects(server.accounts.addCredits(account.email, 1), /OOM/);
  t.ok(lines.length - started <= 4, `${lines.length - started} lines for 45 lookups`);
  t.same(await dump(), before, 'no stored value has changed');
  const rotated = await server.accounts.rotateKey(key);
  t.match(await server.accounts.authenticate(rotated.key), { kind: 'account' }, 'a rotated key is stored');
  await redis.config('SET', 'maxmemory', '0');
  await until('calls with a key are admitted', async () => {
    await sleep(20);
    return (await server.get('/api/ip/1.1.1.1', { Authorization: `Bearer ${rotated.key}` })).status === 200;
  });
  t.equal(await customer.credits(), 500_000 - 4);
});
