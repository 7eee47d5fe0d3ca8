import t from 'tap';
import { REGISTRIES } from '../egress/testing/loopback-world.js';
import { publicName } from './public-name.js';
import { readReservedSpace } from './reserved-space.js';

const reserved = await readReservedSpace(REGISTRIES);
const nibbles = (count: number) => '0.'.repeat(count);

t.test('private reverse zones are refused in any spelling and at any depth', (t) => {
  const refused = [
    ...['10.in-addr.arpa', '1.0.0.10.in-addr.arpa', '1.0.0.10.IN-ADDR.ARPA.', 'x.y.1.0.0.10.in-addr.arpa'],
    ...['16.172.in-addr.arpa', '31.172.in-addr.arpa', '168.192.in-addr.arpa', '254.169.in-addr.arpa'],
    ...['64.100.in-addr.arpa', '127.in-addr.arpa', '0.in-addr.arpa', '2.0.192.in-addr.arpa'],
    ...[
      '224.in-addr.arpa',
      '255.255.255.255.in-addr.arpa',
      '0-25.1.168.192.in-addr.arpa',
      '01.0.0.10.in-addr.arpa',
    ],
    ...['1。0。0。10。in-addr。arpa', '１.０.０.１０.in-addr.arpa', '1.0.0.10.in-addr.ａｒｐａ'],
    ...['d.f.ip6.arpa', 'c.f.ip6.arpa', '8.e.f.ip6.arpa', '8.b.d.0.1.0.0.2.ip6.arpa', 'D.F.IP6.ARPA'],
    ...[`1.${nibbles(31)}ip6.arpa`, `1.0.0.0.0.0.a.0.f.f.f.f.${nibbles(20)}ip6.arpa`, '2.0.0.2.ip6.arpa'],
  ];
  for (const text of refused) t.equal(publicName(text, reserved), undefined, text);
  t.end();
});

t.test('public reverse zones, and names that only resemble private ones, are accepted', (t) => {
  const names = [
    ...['8.8.8.8.in-addr.arpa', '8.in-addr.arpa', '192.in-addr.arpa', 'in-addr.arpa', 'ip6.arpa'],
    ...[
      '0-25.8.8.8.in-addr.arpa',
      '15.172.in-addr.arpa',
      '0.0.2.ip6.arpa',
      '8.8.8.8.0.6.8.4.1.0.0.2.ip6.arpa',
    ],
    ...['10.in-addr.arpa.example.com', 'example.com'],
  ];
  for (const name of names) t.equal(publicName(name, reserved), name);
  t.end();
});

t.test('text that is not a name is refused', (t) => {
  for (const text of ['127.1', 'localhost', 'a.internal', '8.8.8.8', '::1', '', '.', 'a..arpa'])
    t.equal(publicName(text, reserved), undefined, text);
  t.end();
});
