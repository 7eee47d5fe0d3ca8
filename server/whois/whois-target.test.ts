import t from 'tap';
import { readReservedSpace } from '../targets/reserved-space.js';
import { REGISTRIES } from '../egress/testing/loopback-world.js';
import type { WhoisTarget } from './whois-record.js';
import { isUnregistrable, parseWhoisTarget } from './whois-target.js';

const reserved = await readReservedSpace(REGISTRIES);
const parse = (text: string) => parseWhoisTarget(text, reserved);
const domain = (name: string): WhoisTarget => ({ kind: 'domain', name });

t.test('decision 26: parses addresses, prefixes, AS numbers and domains', (t) => {
  const meant: readonly (readonly [string, WhoisTarget])[] = [
    ['AS13335', { kind: 'asn', asn: 13_335 }],
    ['as4294967295', { kind: 'asn', asn: 4_294_967_295 }],
    ['8.8.8.8', { kind: 'ip', ip: '8.8.8.8', version: 4 }],
    ['::ffff:8.8.8.8', { kind: 'ip', ip: '8.8.8.8', version: 4 }],
    ['2001:4860:0::8888', { kind: 'ip', ip: '2001:4860::8888', version: 6 }],
    ['8.8.8.0/24', { kind: 'ip', ip: '8.8.8.0', version: 4, length: 24 }],
    ['8.8.8.8/24', { kind: 'ip', ip: '8.8.8.0', version: 4, length: 24 }],
    ['0.0.0.0/0', { kind: 'ip', ip: '0.0.0.0', version: 4, length: 0 }],
    ['2001:4860::1/32', { kind: 'ip', ip: '2001:4860::', version: 6, length: 32 }],
    ['::ffff:8.8.8.8/120', { kind: 'ip', ip: '8.8.8.0', version: 4, length: 24 }],
    ['www.example.com', domain('example.com')],
    ['WWW.Example.CO.UK.', domain('example.co.uk')],
    ['co.uk', domain('co.uk')],
    ['8.8.8.in-addr.arpa', domain('8.in-addr.arpa')],
    ['a.b.github.io', domain('github.io')],
    ['www.bücher.de', domain('xn--bcher-kva.de')],
    ['例え.中国', domain('xn--r8jz45g.xn--fiqs8s')],
    ['a.b.nobody-serves-this', domain('b.nobody-serves-this')],
  ];
  for (const [text, target] of meant) t.same(parse(text), target, text);
  t.end();
});

t.test('decisions 16, 17 and 26: rejects everything else', (t) => {
  // prettier-ignore
  const refused = [
    '13335',
    '0',
    'AS',
    'AS-1',
    'AS4294967296',
    'AS13335x',
    'AS 13335',
    'AS1.5',
    'ASN13335',
    'AS99999999999',
    'com', 'localhost', '', '.', '127.1', '010.0.0.1', '0x7f000001', '2130706433', '1.2.3', 'fe80::1%eth0',
    '8.8.8.0/33', '8.8.8.0/', '/24', '8.8.8.0/024', '8.8.8.0/-1', '8.8.8.0/24/24', '8.8.8.0/a', '8.8.8/24',
    '2001:db8::/129',
    '::ffff:8.8.8.8/95',
    'example.com/24',
    'AS13335/24',
    '1/8',
    '::1%1/128',
    '0x8.8.8.8/8',
    'http://example.com',
    'example.com:43',
    'user@example.com',
    'a.local',
    'a.internal',
    'x.test',
    '-a.com',
    'example.com\r\nQUIT',
    'example.com\0',
    'a b.com',
    '_dmarc.example.com',
    'example.123',
    'x'.repeat(100_000),
    '1.0.0.10.in-addr.arpa', '10.in-addr.arpa', 'www.168.192.in-addr.arpa', '1.d.f.ip6.arpa',
  ];
  for (const text of refused) t.equal(parse(text), undefined, JSON.stringify(text.slice(0, 40)));
  t.end();
});

t.test('reserved addresses and AS numbers are not looked up', (t) => {
  const is = (text: string) => isUnregistrable(parse(text)!, reserved);
  const kept = [
    '10.0.0.1',
    '192.168.0.0/16',
    '127.0.0.1',
    'fe80::1',
    '2001:db8::/32',
    'AS0',
    'AS64512',
    '0.0.0.0/0',
  ];
  kept.push('AS4200000000', 'AS23456', 'AS65535', '224.0.0.1', '240.0.0.0/4');
  for (const text of kept) t.ok(is(text), text);
  const given = ['8.8.8.8', '8.8.8.0/24', '2001:4860::/32', 'AS13335', 'AS131072', 'AS64495', 'example.com'];
  for (const text of given) t.notOk(is(text), text);
  t.end();
});
