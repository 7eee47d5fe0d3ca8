import t from 'tap';
import { newAddress } from '../net/address.js';
import { parsePrefix } from '../net/prefix.js';
import { AddressCount } from './address-count.js';

function countOf(...prefixes: string[]): AddressCount {
  const count = new AddressCount();
  for (const text of prefixes) {
    const prefix = parsePrefix(text)!;
    count.addNetwork(prefix.address, prefix.length);
  }
  return count;
}

t.test('counts IPv4 in addresses and IPv6 in /64s', (t) => {
  const count = countOf('192.0.2.0/24', '198.51.100.7/32', '2001:db8::/32', '2001:db9::/64');
  t.equal(count.ipv4Addresses, 257);
  t.equal(count.ipv6Slash64s, 2 ** 32 + 1);
  t.end();
});

t.test('networks longer than /64 add up exactly and round down at the end', (t) => {
  const count = countOf('2001:db8::/65');
  t.equal(count.ipv6Slash64s, 0);
  for (let length = 66; length <= 128; length++) count.add(length, 6);
  t.equal(count.ipv6Slash64s, 0, 'one address is missing');
  count.add(128, 6);
  t.equal(count.ipv6Slash64s, 1);
  t.end();
});

t.test('a network that contains ::/96 is counted to the last address in both families', (t) => {
  const count = countOf('::/95');
  t.equal(count.ipv4Addresses, 2 ** 32);
  for (let length = 65; length <= 96; length++) count.add(length, 6);
  t.equal(count.ipv6Slash64s, 1, 'half of ::/95 is IPv6');
  t.end();
});

t.test('near 2^52 /64s the count still distinguishes one address', (t) => {
  const count = countOf('2000::/12');
  t.equal(count.ipv6Slash64s, 2 ** 52);
  for (let length = 65; length <= 128; length++) count.add(length, 6);
  t.equal(count.ipv6Slash64s, 2 ** 52);
  count.add(128, 6);
  t.equal(count.ipv6Slash64s, 2 ** 52 + 1);
  t.end();
});

t.test('the whole space can be counted in both families', (t) => {
  t.equal(countOf('0.0.0.0/0').ipv4Addresses, 2 ** 32);
  t.equal(countOf('::8000:0:0/81', '8000::/1').ipv6Slash64s, 2 ** 63);
  const all = new AddressCount();
  all.addNetwork(newAddress(), 0);
  t.equal(all.ipv4Addresses, 2 ** 32);
  t.equal(all.ipv6Slash64s, 2 ** 64);
  t.end();
});

t.test('agrees with a BigInt sum on random networks, added one by one or in parts', (t) => {
  const parts = Array.from({ length: 4 }, () => new AddressCount());
  const whole = new AddressCount();
  let ipv4 = 0;
  let ipv6 = 0n;
  for (let i = 0, seed = 7; i < 20_000; i++) {
    seed = (Math.imul(seed, 1103515245) + 12345) >>> 0;
    const family = seed & 0x10000 ? 4 : 6;
    const length = family === 4 ? 112 + ((seed >>> 20) % 17) : 32 + ((seed >>> 20) % 97);
    if (family === 4) ipv4 += 2 ** (128 - length);
    else ipv6 += 1n << BigInt(128 - length);
    whole.add(length, family);
    parts[i % 4]!.add(length, family);
  }
  const joined = new AddressCount();
  for (const part of parts) joined.addCount(part);
  for (const count of [whole, joined]) {
    t.equal(count.ipv4Addresses, ipv4);
    t.equal(count.ipv6Slash64s, Number(ipv6 >> 64n));
  }
  t.end();
});

t.test('an IPv4 network shorter than ::/96 fails an assertion', (t) => {
  t.throws(() => {
    new AddressCount().add(95, 4);
  }, /expected 96-128/);
  t.end();
});
