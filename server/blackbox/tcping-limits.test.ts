import t from 'tap';
import { PROBE_TARGETS } from '../ledger/meters/probe-target-meter.js';
import { ScriptedNodes, type Script } from '../probe/testing/scripted-nodes.js';
import { acceptingTarget } from '../probe/testing/tcp-targets.js';
import { DnsServer } from '../testing/dns-server.js';
import { runServer } from '../testing/running-server.js';
import { newCustomer, onlyKey, plainRedis } from './testing/callers.js';

const dns = await DnsServer.start({
  'one.example.com': { addresses: ['127.0.0.1'] },
  'two.example.com': { addresses: ['127.0.0.2'] },
});
t.teardown(() => dns.close());
const nodes = new ScriptedNodes(
  new Map<string, Script>([['jp-1', { kind: 'done', ip: '127.0.0.9', rtts: [1, 1, 1, 1] }]]),
);
const server = await runServer(t, { dnsServers: [dns.address], parts: { nodes } });
const { port, connectedMs } = await acceptingTarget(t, { host: '0.0.0.0' });

t.test('decision 66: a refused port is 403 before any question or connection, and free', async (t) => {
  const customer = await newCustomer(server, 'free');
  await customer.leaveCredits(0);
  const asked = dns.asked.length;
  for (const [path, refused] of [
    ['127.0.0.1:25', 25],
    ['one.example.com:465', 465],
    ['127.0.0.1?port=587', 587],
    ['[::1]:25', 25],
    ['one.example.com:25?node=jp-1', 25],
    ['127.0.0.1:25?country=JP', 25],
  ] as const)
    t.match(
      await server.get(`/api/tcping/${path}`, customer.headers),
      { status: 200, body: { code: 403, msg: `port ${refused} cannot be probed on this server` } },
      path,
    );
  t.match(await server.get('/api/tcping/127.0.0.1:25'), { body: { code: 401 } });
  t.equal(dns.asked.length, asked);
  t.equal(nodes.asked.length, 0);
  t.equal(await customer.usedToday(), 0);
});

t.test('decision 66: the operator chooses the ports, also none', async (t) => {
  const others = await server.another({ probeDenyPorts: [port] });
  const { headers } = await newCustomer(server, 'free');
  t.match((await others.get(`/api/tcping/127.0.0.1:${port}?count=1`, headers)).body, { code: 403 });
  t.match((await others.get('/api/tcping/127.0.0.1:25?count=1', headers)).body, { code: 0 });
  const none = await server.another({ probeDenyPorts: [] });
  t.match((await none.get('/api/tcping/127.0.0.1:587?count=1', headers)).body, { code: 0 });
});

t.test('decision 67: a new host beyond the limit is 429 without a connection, and free', async (t) => {
  const customer = await newCustomer(server, 'free');
  const redis = plainRedis(t, server);
  const ask = (target: string) => server.get(`/api/tcping/${target}:${port}?count=1`, customer.headers);
  t.match((await ask('one.example.com')).body, { code: 0 });
  const hostsKey = await onlyKey(redis, `*pt:account:${customer.account.id}:*:h`);
  for (let i = 1; i < PROBE_TARGETS.hosts; i++) await redis.sadd(hostsKey, i);
  const connections = connectedMs.length;
  for (const target of ['127.0.0.2', 'two.example.com']) {
    const answer = await ask(target);
    t.match(answer, {
      status: 429,
      body: {
        code: 429,
        limit: 300,
        reset_at: Number,
        reset_iso: String,
        msg: /^limit of 300 different hosts per hour exceeded, retry in \d+ s; hosts probed in this hour still work$/,
      },
    });
    t.match(answer.headers.get('retry-after'), /^\d{1,4}$/);
  }
  t.equal(connectedMs.length, connections);
  t.equal(await customer.credits(), 999);
  t.equal(await customer.usedToday(), 1);
  for (const known of ['one.example.com', '127.0.0.1']) t.match((await ask(known)).body, { code: 0 }, known);
  const colleague = await newCustomer(server, 'free');
  const answer = await server.get(`/api/tcping/127.0.0.2:${port}?count=1`, colleague.headers);
  t.match(answer.body, { code: 0 }, 'another account has its own limit');
});

t.test('decision 67: the address that a node chose for a name counts', async (t) => {
  const customer = await newCustomer(server, 'free');
  const redis = plainRedis(t, server);
  const path = `/api/tcping/one.example.com:${port}?node=jp-1`;
  t.match((await server.get(path, customer.headers)).body, { code: 0, data: { ip: '127.0.0.9' } });
  const hostsKey = await onlyKey(redis, `*pt:account:${customer.account.id}:*:h`);
  t.equal(await redis.scard(hostsKey), 2);
  await redis.srem(hostsKey, String((127 << 24) + 9));
  for (let i = 1; i < PROBE_TARGETS.hosts; i++) await redis.sadd(hostsKey, i);
  t.match(await server.get(path, customer.headers), { status: 429, body: { limit: 300 } });
  t.equal(await customer.credits(), 996);
});
