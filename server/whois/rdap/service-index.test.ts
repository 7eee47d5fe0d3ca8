import { readFileSync } from 'node:fs';
import t from 'tap';
import { parseRdapBootstrap, type RdapService } from '../../../pipeline/net/rdap-bootstrap.js';
import { indexAsns, indexDomains, indexPrefixes } from './service-index.js';

const service = (keys: string[], ...urls: string[]): RdapService => ({ keys, urls });
const hrefs = (urls: readonly URL[] | undefined) => urls?.map(({ href }) => href);

t.test('RFC 9224: the entry with the most matching labels is used', (t) => {
  const find = indexDomains(
    [
      service(['com', 'NET'], 'https://nic.example.com/rdap'),
      service(['co.example.net'], 'https://second.example.com/'),
      service(['xn--p1ai'], 'http://ru.example.com/', 'https://ru.example.com/'),
    ],
    false,
  );
  t.same(hrefs(find('example.com')), ['https://nic.example.com/rdap/']);
  t.same(hrefs(find('com')), ['https://nic.example.com/rdap/']);
  t.same(hrefs(find('a.co.example.net')), ['https://second.example.com/']);
  t.same(hrefs(find('aco.example.net')), ['https://nic.example.com/rdap/']);
  t.same(
    hrefs(find('a.xn--p1ai')),
    ['https://ru.example.com/', 'http://ru.example.com/'],
    'https before http',
  );
  t.equal(find('example.org'), undefined);
  t.equal(find('example.xcom'), undefined);
  t.end();
});

t.test('RFC 9224: the longest prefix that contains the whole query is used', (t) => {
  const find = indexPrefixes(
    [
      service(['192.0.0.0/8', '2001:200::/23'], 'https://eight.example.com/'),
      service(['192.0.2.0/24', '2001:db8::/32'], 'https://long.example.com/'),
      service(['192.0.2.1', 'x', '1.2.3.4/33'], 'https://wrong.example.com/'),
    ],
    false,
  );
  const ask = (ip: string, version: 4 | 6, length: number) => find({ ip, version, length })?.[0]?.host;
  t.equal(ask('192.0.2.1', 4, 32), 'long.example.com');
  t.equal(ask('192.0.2.0', 4, 24), 'long.example.com');
  t.equal(ask('192.0.2.0', 4, 23), 'eight.example.com');
  t.equal(ask('192.0.0.0', 4, 7), undefined);
  t.equal(ask('193.0.0.0', 4, 32), undefined);
  t.equal(ask('2001:db8::1', 6, 128), 'long.example.com');
  t.equal(ask('2001:3ff::', 6, 32), 'eight.example.com');
  t.equal(ask('2001:400::', 6, 32), undefined);
  t.equal(ask('::c000:0201', 6, 128), undefined, 'an IPv6 address does not match IPv4 entries');
  t.end();
});

t.test('RFC 9224: AS ranges include both ends', (t) => {
  const find = indexAsns(
    [service(['64496-64499', '65000', '7-', '-8', '9-10-11', 'x'], 'https://as.example.com/')],
    false,
  );
  const known = [64_495, 64_496, 64_499, 64_500, 65_000, 65_001, 7, 8, 9].filter(
    (asn) => find(asn) !== undefined,
  );
  t.same(known, [64_496, 64_499, 65_000]);
  t.end();
});

t.test('hostile: each URL that must not be queried is omitted', (t) => {
  // prettier-ignore
  const refused = [
    'https://user@rdap.example.com/',
    'https://user:pw@rdap.example.com/',
    'https://rdap.example.com:8443/',
    'https://127.0.0.1/',
    'https://10.0.0.1/',
    'https://[::1]/',
    'https://2130706433/',
    'https://0x7f.1/',
    'https://localhost/',
    'https://rdap.local/',
    'https://rdap.internal/',
    'https://rdap/',
    'https://rdap.test/',
    'ftp://rdap.example.com/',
    'javascript:alert(1)',
    '//rdap.example.com/',
    'https:rdap.example.com',
    '',
    'https://rdap.example.com/?x=',
    'https://rdap.example.com/#x',
    'https://rdap.example.com\\@a.example.org/',
    'https://rdap.example.com/%2e%2e/',
    ' https://rdap.example.com/',
    'https://rdap.example.com/\n',
    'https:///',
    `https://rdap.example.com/${'a'.repeat(500)}`,
    'https://rdap..example.com/',
    'https://rdap.example.com:x/',
  ];
  for (const url of refused) {
    const find = indexDomains([service(['com'], url)], false);
    t.equal(find('example.com'), undefined, url.slice(0, 60));
  }
  const mixed = indexDomains([service(['com'], ...refused, 'https://good.example.com/')], false);
  t.same(hrefs(mixed('example.com')), ['https://good.example.com/']);
  t.same(hrefs(indexDomains([service(['com'], 'https://rdap.example.com:8443/x')], true)('a.com')), [
    'https://rdap.example.com:8443/x/',
  ]);
  t.end();
});

t.test('hostile: invalid keys are omitted', (t) => {
  const keys = [
    '',
    '.',
    '..',
    '__proto__',
    'constructor',
    'グーグル',
    'a b',
    `${'a.'.repeat(100)}com`,
    '*',
    'net',
  ];
  const find = indexDomains([service(keys, 'https://rdap.example.com/')], false);
  for (const name of ['example.com', 'a.constructor.x', 'x.__proto__', 'a.b'])
    t.equal(find(name), undefined, name);
  t.ok(find('example.net'));
  t.end();
});

t.test("IANA's files list the right servers", (t) => {
  const services = (name: string) =>
    parseRdapBootstrap(
      readFileSync(new URL(`../../../../fixtures/feeds/rdap/${name}.json`, import.meta.url), 'utf8'),
    );
  const domains = indexDomains(services('dns'), false);
  t.same(hrefs(domains('example.com')), ['https://rdap.verisign.com/com/v1/']);
  t.same(hrefs(domains('example.co.uk')), ['https://rdap.nominet.uk/uk/']);
  t.same(hrefs(domains('example.kg')), ['http://rdap.cctld.kg/']);
  t.equal(domains('example.de'), undefined, 'DENIC lists none');
  const v4 = indexPrefixes(services('ipv4'), false);
  t.same(hrefs(v4({ ip: '8.8.8.8', version: 4, length: 32 })), [
    'https://rdap.arin.net/registry/',
    'http://rdap.arin.net/registry/',
  ]);
  const v6 = indexPrefixes(services('ipv6'), false);
  t.same(hrefs(v6({ ip: '2a00:1450::', version: 6, length: 29 })), ['https://rdap.db.ripe.net/']);
  t.same(hrefs(indexAsns(services('asn'), false)(13_335)), [
    'https://rdap.arin.net/registry/',
    'http://rdap.arin.net/registry/',
  ]);
  t.end();
});
