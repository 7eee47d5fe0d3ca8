import t from 'tap';
import { formatAddress, parseAddress, type Address } from './address.js';
import { formatPrefix, parsePrefix, PrefixBuffer } from './prefix.js';
import { rangeToPrefixes } from './range.js';

const at = (text: string): Address => parseAddress(text)!.address;
const split = (start: string, end: string): string[] =>
  rangeToPrefixes(at(start), at(end)).map(({ address, length }) => formatPrefix(address, length));

t.test('prefixes parse with their length, and addresses without one parse as host prefixes', (t) => {
  const printed = (text: string): string | undefined => {
    const prefix = parsePrefix(text);
    return prefix && formatPrefix(prefix.address, prefix.length, prefix.family);
  };
  t.equal(printed('192.0.2.0/24'), '192.0.2.0/24');
  t.equal(printed('0.0.0.0/0'), '0.0.0.0/0');
  t.equal(printed('192.0.2.1'), '192.0.2.1/32');
  t.equal(printed('2001:DB8::/32'), '2001:db8::/32');
  t.equal(printed('::/0'), '::/0');
  t.equal(printed('2001:db8::1'), '2001:db8::1/128');
  for (const text of [
    '',
    '/24',
    '1.2.3.0/',
    '1.2.3.0/33',
    '::/129',
    '1.2.3.0/024',
    '10.0.0.0/08',
    '1.2.3.0/-1',
    '1.2.3.0/2x',
    '1.2.3.0/24/8',
    '001/8',
  ]) {
    t.equal(parsePrefix(text), undefined, `"${text}"`);
  }
  t.end();
});

t.test('host bits are cleared and reported', (t) => {
  const prefix = new PrefixBuffer();
  t.ok(prefix.parse('192.0.2.77/24'));
  t.ok(prefix.hadHostBits);
  t.equal(formatAddress(prefix.address, 4), '192.0.2.0');
  t.ok(prefix.parse('192.0.2.0/24'));
  t.notOk(prefix.hadHostBits);
  t.end();
});

t.test('host bits are also cleared at the bounds of the 32-bit words', (t) => {
  const ones = 'ffff:ffff:ffff:ffff:ffff:ffff:ffff:ffff';
  const cases = [
    [`${ones}/0`, '::/0'],
    [`${ones}/32`, 'ffff:ffff::/32'],
    [`${ones}/64`, 'ffff:ffff:ffff:ffff::/64'],
    [`${ones}/96`, 'ffff:ffff:ffff:ffff:ffff:ffff::/96'],
    ['255.255.255.255/0', '0.0.0.0/0'],
  ] as const;
  for (const [text, masked] of cases) {
    const prefix = new PrefixBuffer();
    t.ok(prefix.parse(text));
    t.ok(prefix.hadHostBits, text);
    t.equal(formatPrefix(prefix.address, prefix.length, prefix.family), masked);
  }
  t.end();
});

t.test('a range is split into the fewest prefixes', (t) => {
  t.same(split('1.0.1.0', '1.0.3.255'), ['1.0.1.0/24', '1.0.2.0/23']);
  t.same(split('1.2.3.4', '1.2.3.4'), ['1.2.3.4/32']);
  t.same(split('0.0.0.0', '255.255.255.255'), ['0.0.0.0/0']);
  t.same(split('::', 'ffff:ffff:ffff:ffff:ffff:ffff:ffff:ffff'), ['::/0']);
  t.same(split('255.255.255.254', '255.255.255.255'), ['255.255.255.254/31']);
  t.same(split('10.0.0.1', '10.0.0.6'), ['10.0.0.1/32', '10.0.0.2/31', '10.0.0.4/31', '10.0.0.6/32']);
  t.same(split('2001:db8::1', '2001:db8::2'), ['2001:db8::1/128', '2001:db8::2/128']);
  t.equal(split('0.0.0.1', '255.255.255.254').length, 62, 'the worst IPv4 range');
  t.equal(
    split('::1', 'ffff:ffff:ffff:ffff:ffff:ffff:ffff:fffe').length,
    254,
    'the range with the most prefixes',
  );
  t.end();
});
