import { isIP } from 'node:net';
import t from 'tap';
import { commonBits, compareAddresses, formatAddress, parseAddress, parseIpv4 } from './address.js';

t.test('an IPv4 address is exactly four decimal octets', (t) => {
  t.equal(parseIpv4('0.0.0.0'), 0);
  t.equal(parseIpv4('255.255.255.255'), 0xffff_ffff);
  t.equal(parseIpv4('192.0.2.1'), 0xc000_0201);
  for (const text of [
    '',
    '1',
    '1.2.3',
    '1.2.3.4.5',
    '1.2.3.',
    '.1.2.3',
    '01.2.3.4',
    '1.2.3.04',
    '256.1.1.1',
    '1.2.3.1000',
    '1.2.3.4 ',
    ' 1.2.3.4',
    '1.2.3.4:80',
    '1.2.3.4/24',
    '185.208.9.024',
    '0x1.2.3.4',
    '+1.2.3.4',
    '1..2.3',
    '١.1.1.1',
  ]) {
    t.equal(parseIpv4(text), undefined, `"${text}"`);
  }
  t.end();
});

t.test('IPv6 text follows RFC 4291 §2.2', (t) => {
  const words = (text: string): number[] | undefined => {
    const parsed = parseAddress(text);
    return parsed && [...parsed.address];
  };
  t.same(words('::'), [0, 0, 0, 0]);
  t.same(words('::1'), [0, 0, 0, 1]);
  t.same(words('2001:db8::'), [0x20010db8, 0, 0, 0]);
  t.same(words('1:2:3:4:5:6:7:8'), [0x10002, 0x30004, 0x50006, 0x70008]);
  t.same(words('1:2:3:4:5:6:7::'), [0x10002, 0x30004, 0x50006, 0x70000]);
  t.same(words('::2:3:4:5:6:7:8'), [2, 0x30004, 0x50006, 0x70008]);
  t.same(words('ABCD:ef01::5'), [0xabcdef01, 0, 0, 5]);
  t.same(words('::ffff:192.0.2.1'), [0, 0, 0xffff, 0xc0000201]);
  t.same(words('64:ff9b::192.0.2.33'), [0x64ff9b, 0, 0, 0xc0000221]);
  for (const text of [
    ':',
    ':::',
    '1',
    '1:2',
    '1:2:3:4:5:6:7',
    '1:2:3:4:5:6:7:8:9',
    '1:2:3:4:5:6:7:8::',
    '1::2::3',
    ':1::',
    '1:',
    '12345::',
    '::12345',
    '::1:12345',
    'g::',
    '::1%eth0',
    '[::1]',
    '::1/64',
    '1:2:3:4:5:6:7:1.2.3.4',
    '::1.2.3',
    '1.2.3.4::',
    '::1 ',
    ' ::1',
    '1:2:3:4:5:6:7::8:9',
  ]) {
    t.equal(parseAddress(text), undefined, `"${text}"`);
  }
  t.end();
});

t.test('addresses are formatted as in RFC 5952', (t) => {
  const cases: readonly (readonly [string, string])[] = [
    ['2001:0db8:0000:0000:0000:0000:0002:0001', '2001:db8::2:1'],
    ['2001:db8:0:1:1:1:1:1', '2001:db8:0:1:1:1:1:1'],
    ['2001:0:0:1:0:0:0:1', '2001:0:0:1::1'],
    ['2001:db8:0:0:1:0:0:1', '2001:db8::1:0:0:1'],
    ['2001:DB8::A', '2001:db8::a'],
    ['0:0:0:0:0:0:0:1', '::1'],
    ['1:0:0:0:0:0:0:0', '1::'],
    ['1:2:3:4:5:6:0:0', '1:2:3:4:5:6::'],
    ['::ffff:c000:0201', '::ffff:192.0.2.1'],
    ['192.0.2.255', '192.0.2.255'],
  ];
  for (const [text, printed] of cases) {
    const parsed = parseAddress(text);
    t.ok(parsed, text);
    if (parsed) t.equal(formatAddress(parsed.address, parsed.family), printed);
  }
  t.end();
});

t.test('a formatted address parses back to the same address, and node:net accepts it', (t) => {
  const random = lcg(7);
  for (let i = 0; i < 2000; i++) {
    const family = i % 2 ? 4 : 6;
    const address = Uint32Array.from({ length: 4 }, () =>
      random() < 0.4 ? 0 : Math.floor(random() * 2 ** 32),
    );
    if (family === 4) address.fill(0, 0, 3);
    else address[0] = address[0]! | 0x2000_0000;
    const text = formatAddress(address, family);
    const parsed = parseAddress(text);
    if (isIP(text) !== family || !parsed || compareAddresses(parsed.address, address) !== 0) t.fail(text);
  }
  t.pass('2000 addresses');
  t.end();
});

t.test('addresses compare in numeric order, and commonBits counts shared leading bits', (t) => {
  const at = (text: string): Uint32Array => parseAddress(text)!.address;
  t.ok(compareAddresses(at('1.1.1.1'), at('1.1.1.2')) < 0);
  t.ok(compareAddresses(at('255.0.0.0'), at('2001::')) < 0, 'IPv4 lies below IPv6');
  t.equal(compareAddresses(at('::5'), at('::5')), 0);
  t.equal(commonBits(at('1.0.0.0'), at('1.0.0.1')), 127);
  t.equal(commonBits(at('::'), at('8000::')), 0);
  t.equal(commonBits(at('2001:db8::'), at('2001:db8::')), 128);
  t.end();
});

function lcg(seed: number): () => number {
  return () => (seed = (Math.imul(seed, 1664525) + 1013904223) >>> 0) / 2 ** 32;
}
