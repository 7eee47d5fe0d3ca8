import t, { type Test } from 'tap';
import { VANTAGE_POINTS } from '../../pipeline/vantage-points/catalogue.js';
import type { GlobalAnswer } from '../global-dns/global-answer-schema.js';
import { DohServer } from '../global-dns/testing/doh-server.js';
import { startWorker, WORKER_SECRET } from '../global-dns/testing/worker-server.js';
import { DnsServer } from '../testing/dns-server.js';
import { runServer, type TestServer } from '../testing/running-server.js';
import { TEST_IDENTITY } from '../testing/tls-identity.js';

const a = (name: string, data: string) => ({ type: 'A', name, ttl: 60, data }) as const;
const ALIAS = { type: 'CNAME', name: 'www.example.com', ttl: 30, data: 'a.example.com' } as const;

/** Starts a server with resolvers 0 and 1 on the loopback; resolver 2 does not exist. */
async function newWorld(
  t: Test,
  withWorker = false,
): Promise<{ server: TestServer; doh: DohServer; ask: Ask }> {
  const doh = await DohServer.start({
    'a.example.com': [a('a.example.com', '9.9.9.9'), a('a.example.com', '10.0.0.1')],
    'www.example.com': [ALIAS, a('a.example.com', '9.9.9.9')],
    'mail.example.com': [
      { type: 'MX', name: 'mail.example.com', ttl: 5, data: { preference: 10, exchange: 'mx.example.com' } },
    ],
  });
  t.teardown(() => doh.close());
  const dns = await DnsServer.start({ 'worker.test-upstream.example.com': { addresses: ['127.0.0.1'] } });
  t.teardown(() => dns.close());
  const worker = withWorker ? await startWorker(t, { cf: { colo: 'FRA', country: 'DE' } }) : undefined;
  const gone = { ...doh.resolver('Gone'), url: 'https://doh.test-upstream.example.com:1/dns-query' };
  const server = await runServer(t, {
    dnsServers: [dns.address],
    upstreams: {
      ...{ whoisRoot: 'whois.test-root.example.com', whoisPort: 43 },
      dohResolvers: [doh.resolver('Zero'), doh.resolver('One'), gone],
      ...(worker === undefined ? {} : { dnsWorker: { url: worker.url, secret: WORKER_SECRET } }),
      extraAuthorities: TEST_IDENTITY.authority,
    },
  });
  const ask: Ask = async (query) => {
    const { status, body, headers } = await server.get(`/dns_global/api/query?${query}`);
    t.equal(status, 200);
    return { body: body as GlobalAnswer, scope: headers.get('x-ecs-scope') };
  };
  return { server, doh, ask };
}

type Ask = (query: string) => Promise<{ readonly body: GlobalAnswer; readonly scope: string | null }>;

const world = await newWorld(t);

/** The shared server, with its list of queries emptied. */
function start(): typeof world {
  world.doh.asked.length = 0;
  world.doh.manner = 'answers';
  return world;
}

t.test('decision 31: regions are a bare array with labels by language', async (t) => {
  const { server } = start();
  const { body, headers } = await server.get('/dns_global/api/regions');
  t.equal((body as unknown[]).length, VANTAGE_POINTS.length);
  t.match(body, [{ code: 156004, label: '教育网', flag: 'CN', subnet: '202.112.144.0/24' }]);
  t.equal(headers.get('x-ratelimit-limit'), '120');
  t.match((await server.get('/dns_global/api/regions?lang=en')).body, [{ label: 'CERNET' }]);
});

t.test("decision 30: a query with a region, with the release's data about its addresses", async (t) => {
  const { doh, ask } = start();
  const { body, scope } = await ask('domain=WWW.example.com&region=156311&provider=1&lang=en');
  t.match(body, {
    ...{ rcode: 'NOERROR', resolver: 'One', source: 'doh', edns_client_subnet: '202.96.209.0/24' },
    ...{ region: 156311, regionLabel: 'Shanghai China Telecom', subnet: '202.96.209.0/24' },
  });
  t.same(body.records[0], { name: 'www.example.com', type: 'CNAME', ttl: 30, value: 'a.example.com' });
  t.match(body.records[1], { name: 'a.example.com', type: 'A', value: '9.9.9.9', ttl: 60 });
  t.same(Object.keys(body.records[1]!), ['name', 'type', 'ttl', 'value', 'geo', 'isp', 'asn', 'org']);
  t.equal(scope, '24');
  t.notOk('colo' in body || 'error' in body);
  t.match(doh.asked, [{ name: 'www.example.com', subnet: { ip: '202.96.209.0', sourcePrefixLength: 24 } }]);
});

t.test(
  'decision 30: without a region the answer has no subnet, and none is sent to the resolver',
  async (t) => {
    const { doh, ask } = start();
    const { body } = await ask('domain=a.example.com&type=nonsense');
    t.match(body, { edns_client_subnet: '', region: null, regionLabel: '', subnet: '', resolver: 'Zero' });
    t.match(body.records, [
      { value: '9.9.9.9' },
      { value: '10.0.0.1', geo: '', isp: '', asn: null, org: '' },
    ]);
    t.match(doh.asked, [{ type: 'A', subnet: { ip: '0.0.0.0', sourcePrefixLength: 0 } }]);
  },
);

t.test('decision 30: NXDOMAIN is not an error; the value of MX includes its priority', async (t) => {
  const { ask } = start();
  const missing = await ask('domain=none.example.com');
  t.match(missing.body, { rcode: 'NXDOMAIN', records: [] });
  t.notOk('error' in missing.body);
  const mail = await ask('domain=mail.example.com&type=mx');
  t.same(mail.body.records, [{ name: 'mail.example.com', type: 'MX', ttl: 5, value: '10 mx.example.com' }]);
});

t.test('decision 30: invalid parameters are an error with HTTP 200 and cause no query', async (t) => {
  const { doh, ask } = start();
  const refused: [string, RegExp][] = [
    ['', /missing domain/],
    ['domain=', /missing domain/],
    ['domain=localhost', /domain/],
    ['domain=db.internal', /domain/],
    ['domain=127.1', /domain/],
    ['domain=a.example.com&provider=3', /provider/],
    ['domain=a.example.com&provider=x', /provider/],
    ['domain=a.example.com&region=1', /region/],
    ['domain=a.example.com&region=x', /region/],
  ];
  for (const [query, error] of refused) {
    const { body } = await ask(query);
    t.match(
      body,
      { error, records: [], rcode: '', time_ms: 0, source: 'doh', edns_client_subnet: '' },
      query,
    );
  }
  t.equal((await ask('domain=x&region=156311')).body.subnet, '202.96.209.0/24', 'what is known is echoed');
  t.equal(doh.asked.length, 0);
});

t.test('decision 30: a failing resolver gives its own error, and no other one is queried', async (t) => {
  const { doh, ask } = start();
  const expected = { resolver: 'Gone', records: [], rcode: '', subnet: '202.96.209.0/24' };
  const { body } = await ask('domain=a.example.com&provider=2&region=156311');
  t.match(body, { ...expected, error: 'Gone cannot be reached' });
  t.equal(doh.asked.length, 0);
  doh.manner = 'servfail';
  t.match((await ask('domain=a.example.com')).body, { rcode: 'SERVFAIL', error: /SERVFAIL/, records: [] });
  doh.manner = 'html';
  t.match((await ask('domain=a.example.com')).body, { error: 'Zero returned an invalid answer', rcode: '' });
});

t.test('decision 30: an answer by the worker names its location', async (t) => {
  const { ask } = await newWorld(t, true);
  const { body } = await ask('domain=a.example.com&region=156311');
  t.match(body, { source: 'worker', colo: 'FRA', country: 'DE', location: '', rcode: 'NOERROR' });
});
