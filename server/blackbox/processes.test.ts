import { once } from 'node:events';
import { Agent, get, type IncomingMessage } from 'node:http';
import { json } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import t, { type Test } from 'tap';
import { z } from 'zod';
import { DnsServer } from '../testing/dns-server.js';
import { runServer } from '../testing/running-server.js';
import { serveProcess } from '../testing/served-process.js';
import { newCustomer, onlyKey, plainRedis } from './testing/callers.js';
import { SMALL_HOSTS } from './testing/hosts.js';

// Five processes have to start.
t.setTimeout(180_000);
const dns = await DnsServer.start(SMALL_HOSTS);
t.teardown(() => dns.close());
/** A separate connection to the accounts, which outlives the processes. */
const server = await runServer(t, { dnsServers: [dns.address] });

const started = (t: Test, count: number) =>
  Promise.all(
    Array.from({ length: count }, () =>
      serveProcess(t, {
        OUTPUT: server.outputDir,
        REDIS_URL: server.redis.url,
        DNS_SERVERS: dns.address,
      }),
    ),
  );

/** Returns HTTP status and code of an answer: `200 0`. */
async function ask(agent: Agent, url: string, headers: Readonly<Record<string, string>>): Promise<string> {
  const request = get(url, { agent, headers });
  const [response] = (await once(request, 'response')) as [IncomingMessage];
  const { code } = BODY.parse(await json(response));
  return `${response.statusCode} ${code}`;
}

const BODY = z.object({ code: z.number() });

/** Counts equal texts. */
function tally(answers: readonly string[]): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const answer of answers) counts[answer] = (counts[answer] ?? 0) + 1;
  return counts;
}

const four = await started(t, 4);
/** Runs 256 calls at a time. */
const agent = new Agent({ keepAlive: true, maxSockets: 64 });
t.teardown(() => {
  agent.destroy();
});

t.test(
  'decision 6: of 2,000 concurrent calls to 4 processes, 1,000 credits admit exactly 1,000',
  async (t) => {
    const customer = await newCustomer(server, 'enterprise');
    const { headers } = customer;
    await customer.leaveCredits(1000);
    // Half of them wait for a name server: reserved and direct charges mix.
    const targets = ['1.1.1.1', 'one.example.com'];
    const answers = await Promise.all(
      Array.from({ length: 2000 }, (_, i) =>
        ask(agent, `${four[i % 4]!.url}/api/ip/${targets[(i >> 2) % 2]!}`, headers),
      ),
    );
    t.same(tally(answers), { '200 0': 1000, '402 402': 1000 });
    t.equal(await customer.credits(), 0);
    t.equal(await customer.usedToday(), 1000);
    t.same(await plainRedis(t, server).keys('*holds'), [], 'and nothing stays held');
  },
);

t.test('decision 3: 4 processes admit exactly 120 calls of a minute of 120', async (t) => {
  const { headers } = await newCustomer(server, 'free');
  const answers = await Promise.all(
    Array.from({ length: 300 }, (_, i) => ask(agent, `${four[i % 4]!.url}/api/ip/1.1.1.1`, headers)),
  );
  t.same(tally(answers), { '200 0': 120, '429 429': 180 });
});

t.test('decision 6: the holds of a killed process are refunded within 2 minutes', async (t) => {
  const redis = plainRedis(t, server);
  const customer = await newCustomer(server, 'free');
  const { headers, account } = customer;
  const [process] = await started(t, 1);
  const broken = Array.from({ length: 3 }, (_, i) =>
    t.rejects(
      fetch(`${process!.url}/api/ip/silent.example.com${i === 0 ? '/sources' : ''}`, { headers }),
      'the connection broke off',
    ),
  );
  while ((await customer.credits()) > 996) await sleep(10);
  process!.child.kill('SIGKILL');
  await Promise.all(broken);
  const day = await onlyKey(redis, `*d:account:account:${account.id}:*`);
  t.equal(Number(await redis.get(day)), 3, 'it is held');
  const deadlines = await onlyKey(redis, '*deadlines');
  const ids = await redis.zrange(deadlines, '0', '-1');
  t.equal(ids.length, 3);
  for (const id of ids) {
    const leftMs = Number(await redis.zscore(deadlines, id)) - Date.now();
    t.ok(leftMs > 0 && leftMs < 115_000, 'it is given back in time, a round of the reaper included');
    // The test moves the deadlines instead of waiting.
    await redis.zadd(deadlines, 'XX', 1, id);
  }
  while ((await customer.credits()) < 1000) await sleep(100);
  t.equal(await customer.credits(), 1000);
  t.equal(Number(await redis.get(day)), 0);
  t.equal(await customer.usedToday(), 0);
  t.same(await redis.keys('*holds'), []);
  t.match((await server.get('/api/ip/1.1.1.1', headers)).body, { code: 0 });
  t.equal(await customer.credits(), 999, 'and once only');
});
