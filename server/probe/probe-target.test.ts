import t from 'tap';
import { parsePort, parseProbeTarget } from './probe-target.js';

t.test('decision 32: accepts host, host:port, [v6] and [v6]:port; IPv6 without brackets is a host', (t) => {
  const read = [
    ['192.0.2.1', '192.0.2.1', '192.0.2.1', undefined],
    ['192.0.2.1:443', '192.0.2.1', '192.0.2.1', 443],
    ['2001:db8::1', '2001:db8::1', '2001:db8::1', undefined],
    ['2001:db8::1:443', '2001:db8::1:443', '2001:db8::1:443', undefined],
    ['2001:db8:0:0:0:0:1:80', '2001:db8:0:0:0:0:1:80', '2001:db8::1:80', undefined],
    ['[2001:db8::1]', '2001:db8::1', '2001:db8::1', undefined],
    ['[2001:DB8::1]:443', '2001:DB8::1', '2001:db8::1', 443],
    ['[::ffff:192.0.2.1]:443', '::ffff:192.0.2.1', '192.0.2.1', 443],
    ['::ffff:192.0.2.1', '::ffff:192.0.2.1', '192.0.2.1', undefined],
    ['one.example.com', 'one.example.com', 'one.example.com', undefined],
    ['One.example.com.:65535', 'One.example.com.', 'one.example.com', 65535],
    ['bücher.de:1', 'bücher.de', 'xn--bcher-kva.de', 1],
  ] as const;
  for (const [text, host, meant, port] of read) {
    const found = parseProbeTarget(text);
    const { target } = found!;
    t.same(
      [found?.host, target.kind === 'address' ? target.ip : target.name, found?.port],
      [host, meant, port],
    );
  }
  t.end();
});

t.test('decision 16: rejects everything else', (t) => {
  // prettier-ignore
  const refused = [
    '', ':', ':80', '[]', '[]:80', '[', ']', '[:', '[::1', '::1]', '[::1]80', '[::1]:', '[::1]:80:90',
    '[[::1]]:80', '[192.0.2.1]:80', '[one.example.com]:80', '[::1%eth0]:80', 'fe80::1%eth0', '[::1%251]',
    '192.0.2.1:', '192.0.2.1:0', '192.0.2.1:65536', '192.0.2.1:http', '192.0.2.1:-1', '192.0.2.1: 80',
    '192.0.2.1:8e1', '192.0.2.1:0x50', '192.0.2.1:80.0', '192.0.2.1:8080808080', '192.0.2.1:٨٠',
    '192.0.2.1:80:80', 'one.example.com:80:80', 'one.example.com:', 'one.example.com:99999',
    '127.1', '127.1:80', '0x7f000001:80', '2130706433:80', '010.0.0.1:80', 'localhost:80', 'AS1:80',
    'http://one.example.com',
    'user@one.example.com:80',
    'one.example.com/80',
    '%zz',
    'a.test:80',
    'a.local',
    '1::2::3', '[1::2::3]:80', '::1:80:', ' one.example.com', 'one.example.com:80\n', '[::1]:80\n',
  ];
  for (const text of refused) t.equal(parseProbeTarget(text), undefined, JSON.stringify(text));
  t.end();
});

t.test('ports range from 1 to 65535', (t) => {
  for (const port of [1, 80, 65535]) t.equal(parsePort(String(port)), port);
  for (const text of ['0', '00000', '65536', '99999', '', '+1', '1 ', '1e3'])
    t.equal(parsePort(text), undefined);
  t.end();
});
