import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import t from 'tap';
import { PROJECT_ROOT } from '../../fixtures/open-file.js';
import { parseAddress } from '../net/address.js';
import { formatPrefix, lastAddressInto, parsePrefix } from '../net/prefix.js';
import { ALWAYS_RESERVED, parseSpecialPurposeRegistry } from '../net/special-purpose.js';
import { NOT_DELEGATED, RESERVED, reservedSpace, withheldSpace } from './reserved-space.js';

const registries = [4, 6].flatMap((family) => {
  const path = join(PROJECT_ROOT, `fixtures/feeds/iana/iana-ipv${family}-special-registry.xml`);
  return parseSpecialPurposeRegistry(readFileSync(path, 'utf8'));
});
const reserved = reservedSpace(registries);

function isReserved(text: string): boolean {
  return reserved.lookup(parseAddress(text)!.address) !== undefined;
}

t.test('every row of the registries is read, including rows with two prefixes in one element', (t) => {
  t.equal(registries.length, 26 + 25);
  t.end();
});

t.test('each registry row is reserved or not according to its most specific row', (t) => {
  const inAlways = (address: Uint32Array) =>
    ALWAYS_RESERVED.some(({ start, end }) => {
      const key = (words: Uint32Array) =>
        [...words].map((word) => word.toString(16).padStart(8, '0')).join('');
      const at = key(address);
      return at >= key(parseAddress(start)!.address) && at <= key(parseAddress(end)!.address);
    });
  for (const { prefix, name } of registries) {
    const covering = registries
      .filter(({ prefix: other }) => other.family === prefix.family && other.length <= prefix.length)
      .filter(({ prefix: other }) => {
        const end = new Uint32Array(4);
        lastAddressInto(prefix.address, other.length, end);
        const otherEnd = new Uint32Array(4);
        lastAddressInto(other.address, other.length, otherEnd);
        return end.join() === otherEnd.join();
      })
      .sort((a, b) => b.prefix.length - a.prefix.length);
    const expected = inAlways(prefix.address) || covering[0]?.globallyReachable === false;
    const text = formatPrefix(prefix.address, prefix.length, prefix.family);
    t.equal(reserved.lookup(prefix.address) !== undefined, expected, `${text} ${name}`);
  }
  t.end();
});

t.test('known addresses are reserved', (t) => {
  for (const text of [
    '0.0.0.0 10.1.2.3 100.64.0.1 100.127.255.255 127.0.0.1 169.254.1.1 172.31.255.255 192.0.0.8 192.0.0.171',
    '192.0.2.1 192.88.99.2 192.168.0.1 198.19.255.255 203.0.113.9 224.0.0.1 239.255.255.255 255.255.255.255',
    '::ffff:1.2.3.4 64:ff9b::1 64:ff9b:1::1 100::1 100:0:0:1::1 280:14c:418:1000:: 2001::1 2001:2::1 2001:db8::1',
    '2002::1 3fff:fff:: 4000:: 5f00::1 fc00::1 fe80::1 ff02::1',
  ].flatMap((line) => line.split(' '))) {
    t.ok(isReserved(text), text);
  }
  t.end();
});

t.test('neighbours of reserved space and reachable exceptions are not reserved', (t) => {
  for (const text of [
    '1.0.0.0 9.255.255.255 100.63.255.255 100.128.0.0 172.32.0.0 192.0.0.9 192.0.0.10 192.0.1.0 192.31.196.1',
    '192.88.98.255 192.88.100.0 192.175.48.1 198.17.255.255 198.20.0.0 223.255.255.255',
    '2001:1::1 2001:1::2 2001:1::3 2001:3::1 2001:4:112::1 2001:20::1 2001:30::1 2001:200:: 2001:db9::',
    '2620:4f:8000::1 2003:: 3ffe:: 3fff:1000::',
  ].flatMap((line) => line.split(' '))) {
    t.notOk(isReserved(text), text);
  }
  t.end();
});

t.test('decision 20: a deprecated row with an empty Globally Reachable value is reserved', (t) => {
  for (const ip of ['2001:10::1', '192.88.99.0', '192.88.99.1', '192.88.99.255']) t.ok(isReserved(ip), ip);
  t.end();
});

t.test('without registries only ALWAYS_RESERVED is reserved', (t) => {
  const always = reservedSpace([]);
  t.equal(always.lookup(parseAddress('10.0.0.1')!.address), undefined);
  t.ok(always.lookup(parseAddress('224.0.0.1')!.address));
  t.end();
});

t.test('unicast space of IPv6 outside the delegated blocks is withheld, and IPv4 is not', (t) => {
  const delegated = ['2001::/16', '2002::/16', '2400::/12'].map((text) => parsePrefix(text)!);
  const withheld = withheldSpace(registries, delegated);
  const kindOf = (text: string) => withheld.lookup(parseAddress(text)!.address)?.recordId;
  for (const text of ['2d00::1', '2000::1', '2003::1', '2410::1', '3fff:ffff:ffff::'])
    t.equal(kindOf(text), NOT_DELEGATED, text);
  for (const text of ['2001:db8::1', '2002::1', '4000::1', '10.0.0.1']) t.equal(kindOf(text), RESERVED, text);
  for (const text of ['2001:200::1', '240f:ffff::1', '8.8.8.8']) t.equal(kindOf(text), undefined, text);
  t.end();
});
