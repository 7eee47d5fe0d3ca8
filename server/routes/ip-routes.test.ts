import { fileURLToPath } from 'node:url';
import t from 'tap';
import { z } from 'zod';
import type { Answer } from '../http/answer.js';
import { bytesOf } from '../byte-text.js';
import { Failure } from '../failure.js';
import type { Route } from '../http/route.js';
import { CountryNames } from '../../pipeline/record/language.js';
import { IpRecords } from '../lookup/ip-record.js';
import type { HostResolver } from '../targets/host-resolver.js';
import { readReservedSpace } from '../targets/reserved-space.js';
import { FirstAddress } from '../dns/first-address.js';
import { StubClient } from '../dns/stub-client.js';
import { callRoute, type Sent } from '../testing/call-route.js';
import { DnsServer } from '../testing/dns-server.js';
import { mapSnapshot } from '../testing/map-snapshot.js';
import { ipBatch } from './ip-batch.js';
import { ipLookup } from './ip-lookup.js';
import { ipSources } from './ip-sources.js';
import { ownIpFlat } from './own-ip-flat.js';
import { ReleaseHistory } from '../release/release-history.js';
import { ownIpRoot } from './own-ip-root.js';
import { ownIpText } from './own-ip-text.js';
import { ownIp } from './own-ip.js';

const server = await DnsServer.start({
  'dns.example.com': { addresses: ['9.9.9.9'] },
  'six.example.com': { addresses: ['2620:fe::fe'] },
  'inside.example.com': { addresses: ['10.0.0.1'] },
  'mapped.example.com': { addresses: ['::ffff:9.9.9.9'] },
  'xn--bcher-kva.example.com': { addresses: ['9.9.9.9'] },
  'broken.example.com': 'servfail',
});
t.teardown(() => server.close());
const reserved = await readReservedSpace(
  fileURLToPath(new URL('../../../fixtures/feeds/iana', import.meta.url)),
);
const parts = {
  records: new IpRecords({ reserved, countries: new CountryNames() }),
  history: new ReleaseHistory(t.testdir()),
  resolver: new FirstAddress(new StubClient({ servers: [server.address] })),
};
const snapshot = mapSnapshot({
  places: { '9.9.9.9': { country: { iso_code: 'CH', names: { en: 'Switzerland', 'zh-CN': '瑞士' } } } },
  verdicts: { own: { '9.9.9.9': { country: 'CH' } }, dbip: { '9.9.9.9': { country: 'US', latitude: 0 } } },
});

/** Returns the data of an answer after validating it against its schema. */
async function dataOf(route: Route, sent: Omit<Sent, 'snapshot'>): Promise<unknown> {
  const { answer } = await callRoute(route, { snapshot, ...sent });
  return readData(route, answer);
}

function readData({ shape }: Route, answer: Answer): unknown {
  if (answer.kind === 'text') return answer.text;
  if (answer.kind === 'stream' || answer.kind === 'page') throw new Error(answer.kind);
  const body: unknown = answer.kind === 'encoded' ? JSON.parse(bytesOf(answer.json).toString()) : answer.body;
  if (shape.kind === 'bare') return shape.body.parse(body);
  if (shape.kind !== 'envelope') throw new Error(shape.kind);
  return z.strictObject({ code: z.literal(0), data: shape.data }).parse(body).data;
}

const lookup = (target: string, query = {}) => dataOf(ipLookup(parts), { params: { target }, query });

t.test('decisions 15 and 17: an address is looked up synchronously, in Chinese by default', async (t) => {
  const { waited } = await callRoute(ipLookup(parts), { snapshot, params: { target: '9.9.9.9' } });
  t.equal(waited, false);
  t.match(await lookup('9.9.9.9'), { ip: '9.9.9.9', version: 4, country: '瑞士' });
  t.match(await lookup('::ffff:9.9.9.9', { lang: 'EN-us' }), {
    ip: '9.9.9.9',
    version: 4,
    country: 'Switzerland',
  });
  t.match(await lookup('2620:00FE::FE', { lang: 'en' }), { ip: '2620:fe::fe', version: 6, country: '' });
});

t.test('decision 18: for a host name `ip` is the address that was looked up', async (t) => {
  t.match(await lookup('dns.example.com'), { ip: '9.9.9.9', country_code: 'CH' });
  t.match(await lookup('SIX.example.com.'), { ip: '2620:fe::fe', version: 6 });
  t.match(await lookup('bücher.example.com'), { ip: '9.9.9.9' });
  t.match(await lookup('inside.example.com'), { ip: '10.0.0.1', is_reserved: true });
  t.match(await lookup('mapped.example.com'), { ip: '9.9.9.9', version: 4 });
});

t.test('decisions 11, 16 and 18: each target that cannot be looked up fails with its code', async (t) => {
  for (const target of ['127.1', 'localhost', 'fe80::1%1', 'a.internal', '8.8.8.8:80', '%zz', 'batch']) {
    for (const route of [ipLookup(parts), ipSources(parts)])
      await t.rejects(callRoute(route, { snapshot, params: { target } }), { code: 400 }, target);
  }
  await t.rejects(lookup('none.example.com'), { code: 404, message: 'target could not be resolved' });
  await t.rejects(lookup('broken.example.com'), { code: 502 });
  t.notOk(
    server.asked.some((question) => /local|internal|127/.test(question)),
    'no target was resolved',
  );
});

t.test('sources are the verdicts of an address or a host', async (t) => {
  const sources = [
    { source: 'own', country: '瑞士', region: '', city: '', isp: '', lat: null, lng: null },
    { source: 'dbip', country: '美国', region: '', city: '', isp: '', lat: 0, lng: null },
  ];
  for (const target of ['9.9.9.9', 'dns.example.com'])
    t.same(await dataOf(ipSources(parts), { params: { target } }), { ip: '9.9.9.9', sources });
  t.same(await dataOf(ipSources(parts), { params: { target: '10.0.0.1' } }), { ip: '10.0.0.1', sources: [] });
});

t.test('own IP: record, flat record and text', async (t) => {
  t.match(await dataOf(ownIp(parts), {}), { ip: '9.9.9.9', country: '瑞士', rdns: '' });
  t.match(await dataOf(ownIp(parts), { client: '::1' }), { ip: '::1', is_reserved: true });
  const flat = await dataOf(ownIpFlat(parts), { query: { lang: 'en' } });
  t.match(flat, { ip: '9.9.9.9', country: 'Switzerland', asn: null });
  t.same(await dataOf(ownIpRoot(parts), { query: { lang: 'en', format: 'json' } }), flat);
  t.equal(await dataOf(ownIpText, {}), '9.9.9.9\n');
});

t.test('the root answers in text for command-line clients and for text/plain', async (t) => {
  const root = (headers: Record<string, string>, query = {}) => dataOf(ownIpRoot(parts), { headers, query });
  const curl = { 'user-agent': 'curl/8.5.0', accept: '*/*' };
  t.equal(await root(curl), '9.9.9.9\n');
  t.equal(await root({ accept: 'text/plain' }), '9.9.9.9\n');
  t.match(await root(curl, { format: 'json' }), { ip: '9.9.9.9' });
  t.match(await root({ 'user-agent': 'curl/8.5.0', accept: 'application/json' }), { ip: '9.9.9.9' });
  t.match(await root({ 'user-agent': 'Mozilla/5.0', accept: 'text/html,*/*' }), { ip: '9.9.9.9' });
  t.match(await root({}), { ip: '9.9.9.9' });
});

const batch = (body: unknown, batchLimit = 500) => callRoute(ipBatch(parts), { snapshot, body, batchLimit });

t.test('decision 21: entries in the order of the targets, errors for targets without a record', async (t) => {
  const ips = [
    'none.example.com',
    '9.9.9.9',
    'dns.example.com',
    '127.1',
    5,
    null,
    { a: 1 },
    '9.9.9.9',
    '10.0.0.1',
  ];
  const { answer, waited } = await batch({ ips: [...ips, 'broken.example.com', ''] });
  t.equal(waited, true);
  t.match(readData(ipBatch(parts), answer), [
    { ip: 'none.example.com', error: 'target could not be resolved' },
    { ip: '9.9.9.9', country: '瑞士' },
    { ip: '9.9.9.9', country: '瑞士' },
    { ip: '127.1', error: 'invalid IP or hostname' },
    { ip: '5', error: 'invalid IP or hostname' },
    { ip: 'null', error: 'invalid IP or hostname' },
    { ip: '{"a":1}', error: 'invalid IP or hostname' },
    { ip: '9.9.9.9' },
    { ip: '10.0.0.1', is_reserved: true },
    { ip: 'broken.example.com', error: 'target could not be resolved' },
    { ip: '', error: 'invalid IP or hostname' },
  ]);
});

t.test('decision 21: the limit counts all targets, including invalid and repeated ones', async (t) => {
  t.equal((await batch({ ips: ['x', 'x', 'x', 'x', 'x'] }, 5)).waited, false);
  await t.rejects(batch({ ips: ['x', 'x', 'x', 'x', 'x', 'x'] }, 5), { code: 400 });
  await t.rejects(batch({ ips: Array(501).fill(null) }), Failure);
});

t.test('decision 21: an empty list, another value and a missing body are refused', async (t) => {
  for (const body of [
    { ips: [] },
    { ips: '9.9.9.9' },
    { ips: { 0: '9.9.9.9' } },
    {},
    [],
    null,
    undefined,
    'x',
    1,
  ])
    await t.rejects(batch(body), z.ZodError, JSON.stringify(body));
  const refusal = ipBatch(parts).body?.safeParse({ ips: [] }).error?.issues[0]?.message;
  t.equal(refusal, '`ips` must be a list of at least one address or hostname');
});

t.test('decision 21: 500 addresses are answered synchronously, and each host is resolved once', async (t) => {
  const ips = Array.from({ length: 500 }, (_, i) => `9.9.${i >> 8}.${i & 255}`);
  const { answer, waited } = await batch({ ips });
  t.equal(waited, false);
  t.equal((readData(ipBatch(parts), answer) as unknown[]).length, 500);
  const asked: string[] = [];
  const resolver: HostResolver = {
    resolve: (name) => {
      asked.push(name);
      return Promise.resolve(undefined);
    },
  };
  const repeated = Array<string>(400).fill('a.example.com').concat('A.example.com.', 'b.example.com');
  await callRoute(ipBatch({ ...parts, resolver }), { snapshot, body: { ips: repeated }, batchLimit: 500 });
  t.same(asked, ['a.example.com', 'b.example.com']);
});

t.test('routes have their prices, and their schemas convert to JSON Schema', (t) => {
  const metered = [ipSources(parts), ipBatch(parts)].map(({ terms }) => terms);
  t.same(
    metered,
    [2, 5].map((credits) => ({ kind: 'metered', key: 'optional', credits })),
  );
  const { terms } = ipLookup(parts);
  if (terms.kind !== 'metered' || typeof terms.credits === 'number') throw new Error(terms.kind);
  const asked = { params: {}, body: undefined };
  t.equal(terms.credits({ ...asked, query: {} }), 1);
  t.equal(terms.credits({ ...asked, query: { at: '2026-11-21' } }), 3);
  for (const { terms } of [ownIp(parts), ownIpFlat(parts), ownIpRoot(parts), ownIpText])
    t.same(terms, { kind: 'keyless', bucket: 'own-ip' });
  t.match(z.toJSONSchema(ipBatch(parts).body!, { io: 'input' }), {
    properties: { ips: { type: 'array', minItems: 1, items: { type: 'string' } } },
  });
  t.match(z.toJSONSchema(ipLookup(parts).query, { io: 'input' }), {
    properties: { lang: { type: 'string' } },
  });
  t.end();
});
