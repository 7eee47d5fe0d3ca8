import { writeFileSync } from 'node:fs';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { join } from 'node:path';
import t from 'tap';
import { startUpstream } from '../egress/testing/loopback-world.js';
import { DnsServer } from '../testing/dns-server.js';
import { runServer } from '../testing/running-server.js';
import { TEST_IDENTITY } from '../testing/tls-identity.js';
import { WhoisServer } from '../whois/port43/testing/whois-server.js';
import { ARIN_AUTNUM, REGISTRAR_DOMAIN, RIPE_NETWORK } from '../whois/rdap/testing/rdap-samples.js';
import { BEHIND_PROXY, from, newCustomer } from './testing/callers.js';

const RDAP_HOST = 'rdap.test-upstream.example.com';
const ROOT = 'whois.test-root.example.com';
const NO_DOMAIN = { errorCode: 404, title: 'not found' };

/** Paths requested from the registry. */
const asked: string[] = [];
const answers: Readonly<Record<string, unknown>> = {
  '/domain/example.com': REGISTRAR_DOMAIN,
  '/domain/xn--bcher-kva.com': { ...REGISTRAR_DOMAIN, ldhName: 'xn--bcher-kva.com' },
  '/ip/193.0.6.139': RIPE_NETWORK,
  '/ip/193.0.0.0/21': RIPE_NETWORK,
  '/autnum/15169': ARIN_AUTNUM,
};

function registry(request: IncomingMessage, response: ServerResponse): void {
  const url = request.url ?? '';
  asked.push(url);
  if (url.includes('broken')) response.writeHead(500).end();
  else if (url in answers) response.end(JSON.stringify(answers[url]));
  else response.writeHead(404).end(JSON.stringify(NO_DOMAIN));
}

const rdap = await startUpstream(t, registry);
const port43 = await WhoisServer.start('127.0.0.1', 0, {
  old: `whois: ${ROOT}\r\n`,
  com: `whois: ${ROOT}\r\n`,
  uk: `whois: ${ROOT}\r\n`,
  'co.uk': 'No match for "co.uk".\r\n',
  'free.co.uk': 'No match for "free.co.uk".\r\n',
  'example.old':
    'Domain Name: EXAMPLE.OLD\r\nRegistrar: Old Registrar\r\nCreation Date: 1999-01-02T03:04:05Z\r\n',
  '*': '% This query returned 0 objects.\r\n',
});
const dns = await DnsServer.start({
  [RDAP_HOST]: { addresses: ['127.0.0.1'] },
  [ROOT]: { addresses: ['127.0.0.1'] },
});
t.teardown(() => Promise.all([dns.close(), port43.close()]));

const rdapDir = t.testdir();
const urls = [`https://${RDAP_HOST}:${rdap.port}/`];
for (const [name, key] of [
  ['dns', 'com'],
  ['ipv4', '193.0.0.0/8'],
  ['ipv6', '2001:600::/23'],
  ['asn', '1-70000'],
] as const) {
  writeFileSync(join(rdapDir, `${name}.json`), JSON.stringify({ services: [[[key], urls]] }));
}

const server = await runServer(t, {
  ...BEHIND_PROXY,
  dnsServers: [dns.address],
  rdapDirs: [rdapDir],
  upstreams: {
    ...{ whoisRoot: ROOT, whoisPort: port43.port, dohResolvers: [] },
    extraAuthorities: TEST_IDENTITY.authority,
  },
});
let callers = 0;
/** Calls from a new address, so limits do not interfere. */
const get = (target: string) => server.get(`/api/whois/${target}`, from(`203.0.113.${++callers % 250}`));

t.test('decision 26: the registrable domain is queried, and the answer repeats the target', async (t) => {
  const { status, body } = await get('www.Example.com');
  t.equal(status, 200);
  t.same(body, {
    code: 0,
    data: {
      target: 'www.Example.com',
      raw: JSON.stringify(REGISTRAR_DOMAIN),
      registrar: '',
      ...{ creation_date: '', expiry_date: '2031-01-01T00:00:00Z', updated_date: '' },
      ...{ nameservers: [], status: ['ok'], registrant: 'Example Org', dnssec: '' },
      ...{ is_asn: false, available: false },
    },
  });
  t.match((await get(encodeURIComponent('www.bücher.com'))).body, {
    code: 0,
    data: { target: 'www.bücher.com', available: false },
  });
});

t.test('decision 26: addresses, prefixes by %2F or with a raw slash, AS numbers', async (t) => {
  t.match((await get('193.0.6.139')).body, { data: { registrar: 'RIPE', is_asn: false } });
  t.match((await get('193.0.0.0%2F21')).body, { data: { target: '193.0.0.0/21', registrar: 'RIPE' } });
  t.match((await get('193.0.1.2/21')).body, { data: { target: '193.0.1.2/21', registrar: 'RIPE' } });
  t.match((await get('as15169')).body, { data: { target: 'as15169', registrar: 'ARIN', is_asn: true } });
});

t.test(
  'decision 26: an unregistered domain is available; unallocated addresses and ASes are 404',
  async (t) => {
    t.match((await get('nobody-has-it.com')).body, {
      code: 0,
      data: { available: true, registrar: '', nameservers: [], raw: JSON.stringify(NO_DOMAIN) },
    });
    t.match((await get('193.1.1.1')).body, { code: 404, msg: String });
    t.match((await get('AS3')).body, { code: 404 });
  },
);

t.test('decisions 16 and 26: an invalid target is 400 and causes no query', async (t) => {
  const before = asked.length;
  for (const text of [
    '13335',
    'com',
    'AS4294967296',
    '127.1',
    '8.8.8.0%2F33',
    '8.8.8.0/x',
    'a_b.com',
    'x.local',
    '%zz',
  ]) {
    t.match((await get(text)).body, { code: 400 }, text);
  }
  for (const text of ['10.0.0.1', '127.0.0.0/8', 'fe80::1', 'AS64512', 'AS0']) {
    t.match((await get(text)).body, { code: 404 }, text);
  }
  t.equal(asked.length, before);
  t.same(port43.asked, []);
});

t.test('decision 25: without an RDAP server port 43 is queried; a TLD with neither is 404', async (t) => {
  t.match((await get('example.old')).body, {
    code: 0,
    data: { registrar: 'Old Registrar', creation_date: '1999-01-02T03:04:05Z', available: false },
  });
  t.match((await get('example.nobody-serves-this')).body, { code: 404 });
});

t.test('decision 11: registries that do not answer are 502, and cost nothing', async (t) => {
  const customer = await newCustomer(server, 'free');
  const before = await customer.credits();
  const { status, body } = await server.get('/api/whois/broken.com', customer.headers);
  t.equal(status, 502);
  t.match(body, { code: 502, msg: String });
  t.equal(await customer.credits(), before);
  t.match((await server.get('/api/whois/example.com', customer.headers)).body, { code: 0 });
  t.equal(await customer.credits(), before - 1);
  t.match((await server.get('/api/whois/10.0.0.1', customer.headers)).body, { code: 404 });
  t.equal(await customer.credits(), before - 1);
});

t.test('decision 25: concurrent calls share one query; another process uses the cache', async (t) => {
  const before = asked.length;
  const all = await Promise.all(Array.from({ length: 10 }, () => get('busy-name.com')));
  for (const { body } of all) t.match(body, { data: { available: true, raw: JSON.stringify(NO_DOMAIN) } });
  t.equal(asked.length, before + 1);
  const other = await server.another();
  // The cache is written in the background.
  await new Promise((resolve) => setTimeout(resolve, 300));
  t.match((await other.get('/api/whois/busy-name.com', from('203.0.113.251'))).body, {
    data: { available: true },
  });
  t.equal(asked.length, before + 1);
});

t.test('without ALLOW_LOOPBACK the same registry is not queried', async (t) => {
  const before = asked.length;
  const closed = await server.another({ allowLoopback: false });
  const { status } = await closed.get('/api/whois/example-closed.com', from('203.0.113.252'));
  t.equal(status, 502, 'without ALLOW_LOOPBACK a URL with a port is ignored, and whois is not contacted');
  t.equal(asked.length, before);
});

t.test('decision 26: names below a public suffix may be available, the suffix itself may not', async (t) => {
  t.match((await get('free.co.uk')).body, { code: 0, data: { available: true } });
  t.match((await get('co.uk')).body, { code: 404 });
});
