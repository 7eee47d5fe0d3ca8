import { Redis } from 'ioredis';
import t, { type Test } from 'tap';
import { newRedisForTest } from '../../pipeline/testing/redis-server.js';
import { deadlineIn } from '../deadline.js';
import { CachingClient } from '../dns/caching-client.js';
import { StubClient } from '../dns/stub-client.js';
import { answerTo, scriptedServer } from '../dns/testing/scripted-server.js';
import { EgressGuard } from '../egress/egress-guard.js';
import { PublicHosts } from '../egress/public-hosts.js';
import { REGISTRIES } from '../egress/testing/loopback-world.js';
import { readReservedSpace } from '../targets/reserved-space.js';
import { DnsServer, type DnsReply } from '../testing/dns-server.js';
import { runServer } from '../testing/running-server.js';
import { callerAddressCheck } from './caller-addresses.js';
import type { Check } from './check.js';
import { privateNameChecks } from './private-names.js';
import { publicAddressCheck } from './public-address.js';
import { runChecks } from './run-checks.js';

const reserved = await readReservedSpace(REGISTRIES);

async function findingOf(check: Check) {
  const run = { parallel: 1, checkMs: 10_000, deadline: deadlineIn(20_000), onFinding: () => undefined };
  const [finding] = await runChecks([check], run);
  return finding!;
}

async function dnsServer(t: Test, replies: Readonly<Record<string, DnsReply>>): Promise<DnsServer> {
  const dns = await DnsServer.start(replies);
  t.teardown(() => dns.close());
  return dns;
}

t.test('EGRESS_DENY: a public address that callers can reach is a warning', async (t) => {
  const echo = await scriptedServer(t, (query, send) => {
    send(answerTo(query, { ip: '9.9.9.9' }));
  });
  const port = Number(echo.split(':')[1]);
  const dns = await dnsServer(t, { 'echo.example.com': { addresses: ['127.0.0.1'] } });
  const echoes = [{ host: 'echo.example.com', port, name: 'myip.example.com', type: 'A' }] as const;
  const look = (denied: readonly string[], asked: Parameters<typeof publicAddressCheck>[1] = echoes) => {
    const guard = new EgressGuard({ reserved, denied, allowLoopback: true });
    const client = new CachingClient(new StubClient({ servers: [dns.address] }));
    return findingOf(publicAddressCheck({ hosts: new PublicHosts(client, guard), guard }, asked));
  };
  t.match(await look([]), {
    state: 'warning',
    detail:
      'echo.example.com sees this machine as 9.9.9.9, which callers can reach through the server; add it to EGRESS_DENY',
  });
  t.match(await look(['8.0.0.0/8']), { state: 'warning' });
  t.match(await look(['9.9.9.0/24']), { state: 'ok', detail: /^callers cannot reach 9\.9\.9\.9, / });
  const lost = [{ ...echoes[0], host: 'lost.example.com' }];
  t.match(await look([], lost), {
    state: 'warning',
    detail: /is unknown, because lost\.example\.com did not/,
  });
  t.match(await look([], [...lost, ...echoes]), { state: 'warning', detail: /^echo\.example\.com sees/ });
});

t.test('a DNS server that knows names of private networks, or is in one, is a warning', async (t) => {
  const machine = {
    host: 'box',
    domains: ['corp.example.com', 'open.example.com'],
    addresses: ['10.1.2.3', '9.9.9.9'],
  };
  const open = { 'box.open.example.com': { addresses: ['9.9.9.9'] } };
  const pointer = { pointer: 'box.corp' };
  // The loopback is reserved, so even a server that knows no private names is a warning here.
  const mayKnow = /^is in a private network and may know its names/;
  for (const [replies, detail] of [
    [{}, mayKnow],
    [{ '9.9.9.9.in-addr.arpa': pointer }, mayKnow],
    [{ 'box.corp.example.com': { addresses: ['10.1.2.3'] } }, /^answers box\.corp\.example\.com A, /],
    [{ 'box.local': { addresses: ['9.9.9.9'] } }, /^answers box\.local A, /],
    [
      { 'metadata.google.internal': { addresses: ['169.254.169.254'] } },
      /^answers metadata\.google\.internal A/,
    ],
    [{ '3.2.1.10.in-addr.arpa': pointer }, /^answers 3\.2\.1\.10\.in-addr\.arpa PTR, /],
  ] as const) {
    const dns = await dnsServer(t, { ...open, ...replies });
    const [check] = privateNameChecks([dns.address], reserved, machine);
    t.match(await findingOf(check!), { state: 'warning', detail }, String(detail));
  }
  const everything = await scriptedServer(t, (query, send) => {
    send(answerTo(query));
  });
  const [check] = privateNameChecks([everything], reserved, machine);
  t.match(await findingOf(check!), { state: 'warning', detail: /^answers ipatlas-[0-9a-f]+\.internal A/ });
  const [publicServer] = privateNameChecks([(await dnsServer(t, open)).address], noSpace(), machine);
  t.match(await findingOf(publicServer!), { state: 'ok', detail: /^answers none of \d+ private names$/ });
});

/** Returns a space in which only 10.0.0.0/8 is reserved, so that a server on the loopback counts as public. */
function noSpace() {
  return Object.assign(Object.create(reserved) as typeof reserved, {
    has: (ip: string) => ip.startsWith('10.'),
  });
}

t.test('TRUSTED_PROXIES: calls of a server from one address only are a warning', async (t) => {
  const { url } = await newRedisForTest(t);
  const redis = new Redis(url);
  t.teardown(() => {
    redis.disconnect();
  });
  const look = (trustedProxies: readonly string[] = []) =>
    findingOf(callerAddressCheck({ redis: { name: 'redis', address: { url } }, reserved, trustedProxies }));
  t.match(await look(), { state: 'ok', detail: 'is empty; 0 calls without a key, too few to compare' });
  await redis.set('ipatlas:{s1}d:anonymous:ip:9.9.9.9:20261122', 199);
  t.match(await look(), { state: 'ok', detail: /^is empty; 199 calls/ });
  await redis.set('ipatlas:{s1}m:own-ip:ip:9.9.9.9', 1);
  t.match(await look(), {
    state: 'warning',
    detail: /^is empty, and all 200 calls without a key came from 9\.9\.9\.9; /,
  });
  t.match(await look(['10.0.0.0/8']), { state: 'ok', detail: 'is set' });
  await redis.set('ipatlas:{s2}d:anonymous:ip:8.8.8.8:20261122', 1);
  t.match(await look(), { state: 'ok', detail: 'is empty; callers have different addresses' });
  await redis.flushall();
  for (const [length, calls] of [
    [64, 300],
    [56, 300],
    [48, 300],
  ] as const)
    await redis.set(`ipatlas:{s3}d:anonymous:ip:2620:fe::/${length}:20261122`, calls);
  t.match(await look(), { state: 'warning', detail: /all 300 calls/ }, 'wider networks are no other callers');
  const failing = { name: 'redis', failure: 'redis-server is missing' };
  t.match(await findingOf(callerAddressCheck({ redis: failing, reserved, trustedProxies: [] })), {
    state: 'broken',
    detail: 'redis-server is missing',
  });
});

t.test('TRUSTED_PROXIES: what a running server has counted is read', async (t) => {
  const server = await runServer(t, { trustedProxies: ['127.0.0.1'] });
  const look = () =>
    findingOf(
      callerAddressCheck({
        redis: { name: 'redis', address: { url: server.redis.url } },
        reserved,
        trustedProxies: [],
      }),
    );
  for (let i = 0; i < 6; i++) await server.get('/api/ip/8.8.8.8');
  await server.get('/ip');
  t.match(await look(), { state: 'warning', detail: /came from 127\.0\.0\.1; / });
  await server.get('/ip', { 'X-Forwarded-For': '9.9.9.9' });
  t.match(await look(), { state: 'ok' });
});
