import t from 'tap';
import { until } from '../nodes/testing/until.js';
import { silentTarget } from '../probe/testing/tcp-targets.js';
import { DnsServer } from '../testing/dns-server.js';
import { runServer } from '../testing/running-server.js';
import type { CheckedAnswer } from '../testing/checked-answer.js';
import { newCustomer } from './testing/callers.js';
import { SMALL_HOSTS } from './testing/hosts.js';

t.jobs = 2;
const dns = await DnsServer.start(SMALL_HOSTS);
t.teardown(() => dns.close());
const server = await runServer(t, { dnsServers: [dns.address] });

const dataOf = ({ body }: CheckedAnswer) => (body as { data: Record<string, unknown> }).data;

t.test('a name with silent servers is 502 within its budget', { buffered: true }, async (t) => {
  const customer = await newCustomer(server, 'free');
  const startedMs = performance.now();
  const answer = await server.get('/api/tcping/silent.example.com', customer.headers);
  t.match(answer, { status: 502, body: { code: 502 } });
  t.ok(performance.now() - startedMs < 5000);
  t.equal(await customer.credits(), 1000);
});

t.test(
  'waiting probes delay no other call; those over the limit of an address are 503 and cost nothing',
  { buffered: true },
  async (t) => {
    const { port: silentPort } = await silentTarget(t);
    const customer = await newCustomer(server, 'enterprise');
    let waiting = 0;
    const probe = async (ip: string): Promise<CheckedAnswer> => {
      waiting++;
      const answer = await server.get(
        `/api/tcping/${ip}:${silentPort}?count=1&timeout=3500`,
        customer.headers,
      );
      waiting--;
      return answer;
    };
    const addresses = Array.from({ length: 250 }, (_, i) => `127.0.${1 + (i % 8)}.${1 + i}`);
    const probes = addresses.map((ip) => probe(ip));
    const crowd = Array.from({ length: 40 }, () => probe('127.0.9.9'));
    for (let lookups = 0; lookups < 20; lookups++)
      t.match((await server.get('/api/ip/1.1.1.1', customer.headers)).body, { code: 0 });
    await until('those beyond the cap are refused', () => waiting <= 250 + 32);
    t.equal(waiting, 250 + 32, 'all lookups were answered while all probes waited');
    for (const answer of await Promise.all(probes))
      if (dataOf(answer)['recv'] !== 0) t.fail('the target accepts no connection');
    const statuses = (await Promise.all(crowd)).map(({ status }) => status);
    t.equal(statuses.filter((status) => status === 200).length, 32);
    t.equal(statuses.filter((status) => status === 503).length, 8);
    t.equal(await customer.credits(), 500_000 - 250 - 20 - 32);
  },
);
