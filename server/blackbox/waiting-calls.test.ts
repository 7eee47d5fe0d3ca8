import t from 'tap';
import { until } from '../nodes/testing/until.js';
import { acceptingTarget, silentTarget } from '../probe/testing/tcp-targets.js';
import { DnsServer, type DnsReply } from '../testing/dns-server.js';
import { runServer } from '../testing/running-server.js';
import { newCustomer, plainRedis } from './testing/callers.js';
import { SMALL_HOSTS } from './testing/hosts.js';

const CALLS = 500;
const silent = Object.fromEntries(
  Array.from({ length: CALLS }, (_, i): [string, DnsReply] => [`silent-${i}.example.com`, 'silence']),
);
const dns = await DnsServer.start({ ...SMALL_HOSTS, ...silent });
t.teardown(() => dns.close());
const server = await runServer(t, { dnsServers: [dns.address] });

t.test(
  `${CALLS} calls that wait for silent name servers delay no lookup, end, and cost nothing`,
  async (t) => {
    const customer = await newCustomer(server, 'enterprise');
    const { headers } = customer;
    const paths = [
      (name: string) => `/api/dns/${name}/A`,
      (name: string) => `/api/dns/${name}`,
      (name: string) => `/api/ip/${name}`,
      (name: string) => `/api/ip/${name}/sources`,
    ];
    let waiting = 0;
    const calls = Object.keys(silent).map(async (name, i) => {
      waiting++;
      const { status } = await fetch(`${server.url}${paths[i % paths.length]!(name)}`, { headers });
      waiting--;
      return status;
    });
    const lookups = ['1.1.1.1', 'one.example.com'].map((target) => server.get(`/api/ip/${target}`, headers));
    for (const { body } of await Promise.all(lookups)) t.match(body, { code: 0 });
    t.ok(waiting > 0, 'they were answered while the others waited');
    t.same([...new Set(await Promise.all(calls))], [502]);
    t.equal(await customer.credits(), 500_000 - 2);
    t.equal(await customer.usedToday(), 2);
  },
);

t.test('decision 6: a stopping server refunds the calls that it aborts', async (t) => {
  const stopping = await server.another();
  const redis = plainRedis(t, server);
  const customer = await newCustomer(server, 'free');
  const { port } = await silentTarget(t);
  const paths = [`/api/tcping/127.0.0.1:${port}?count=10`, '/api/dns/silent.example.com/A'];
  const calls = paths.map((path) => stopping.get(path, customer.headers));
  await until('both are paid', async () => (await customer.credits()) === 1000 - 11);
  const ends = Promise.allSettled(calls);
  await stopping.running.stop(50);
  t.same(
    (await ends).map(({ status }) => status),
    ['rejected', 'rejected'],
  );
  t.equal(await customer.credits(), 1000);
  t.equal(await customer.usedToday(), 0);
  t.same(await redis.keys('*holds'), []);
});

t.test('when the caller hangs up, the probe continues and is charged', async (t) => {
  const customer = await newCustomer(server, 'free');
  const { port, connectedMs } = await acceptingTarget(t);
  const hangUp = new AbortController();
  const call = fetch(`${server.url}/api/tcping/127.0.0.1:${port}?count=3`, {
    headers: customer.headers,
    signal: hangUp.signal,
  });
  await until('it has begun', () => connectedMs.length > 0);
  hangUp.abort();
  await t.rejects(call);
  await until('it is done', async () => (await customer.usedToday()) === 1);
  t.equal(connectedMs.length, 3);
  t.equal(await customer.credits(), 1000 - 3);
});
