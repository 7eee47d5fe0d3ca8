import type { IncomingMessage } from 'node:http';
import t from 'tap';
import { sourceOf } from '../ledger/subject.js';
import { clientAddressOf } from './client-address.js';

const from = (remoteAddress: string, forwarded?: string) =>
  ({
    socket: { remoteAddress },
    connection: { remoteAddress },
    headers: forwarded === undefined ? {} : { 'x-forwarded-for': forwarded },
  }) as unknown as IncomingMessage;

t.test('the address of a caller on the same link has no zone and shares the bucket of its /64', (t) => {
  for (const proxies of [[], ['192.0.2.0/24']]) {
    const client = clientAddressOf(proxies)(from('fe80::fc:ff:fe00:1%eth0'));
    t.equal(client, 'fe80::fc:ff:fe00:1');
    t.equal(sourceOf(client!), 'fe80::/64');
  }
  t.end();
});

t.test('decision 14: a proxy on the same link can be trusted', (t) => {
  const client = clientAddressOf(['fe80::/10'])(from('fe80::1%eth0', '203.0.113.7'));
  t.equal(client, '203.0.113.7');
  t.end();
});

t.test('decision 17: an IPv4 caller on an IPv6 socket has an IPv4 address', (t) => {
  t.equal(clientAddressOf([])(from('::ffff:192.0.2.1')), '192.0.2.1');
  t.end();
});

t.test('decision 14: X-Forwarded-For is read from the right, up to an address that is not trusted', (t) => {
  const client = clientAddressOf(['10.0.0.0/8', '2001:db8::/32']);
  const found: Readonly<Record<string, string>> = {
    '198.51.100.1, 203.0.113.7, 10.0.0.2': '203.0.113.7',
    '198.51.100.1,203.0.113.7:443,[2001:db8::1]:80,10.0.0.2:1': '203.0.113.7',
    '[2001:DB9:0::1], 10.0.0.2': '2001:db9::1',
    '::ffff:203.0.113.7,::ffff:10.0.0.2': '203.0.113.7',
    ', ,203.0.113.7, ,10.0.0.2,': '203.0.113.7',
    '10.0.0.3,10.0.0.2': '10.0.0.3',
    ',10.0.0.2': '10.0.0.2',
    ',': '10.0.0.1',
    '': '10.0.0.1',
    '203.0.113.7,unknown,10.0.0.2': '10.0.0.1',
    '203.0.113.7,1.2.3,10.0.0.2': '10.0.0.1',
  };
  for (const [forwarded, address] of Object.entries(found))
    t.equal(client(from('10.0.0.1', forwarded)), address, forwarded);
  t.equal(
    client(from('203.0.113.9', '198.51.100.1')),
    '203.0.113.9',
    'the header of anyone else is not read',
  );
  t.equal(client(from('203.0.113.9')), '203.0.113.9');
  t.end();
});

t.test('decision 14: at most ten entries of X-Forwarded-For are read', (t) => {
  const client = clientAddressOf(['10.0.0.0/8']);
  const behind = (hops: number) => from('10.0.0.1', `203.0.113.7${',10.0.0.2'.repeat(hops)}`);
  t.equal(client(behind(9)), '203.0.113.7');
  t.equal(client(behind(10)), '10.0.0.1', "the socket's address");
  t.end();
});

t.test('proxies are told from callers after more addresses than are remembered', (t) => {
  const client = clientAddressOf(['10.0.0.0/8']);
  const wrong: string[] = [];
  for (let n = 0; n < 20_000; n++) {
    const [caller, proxy] = [`100.0.${n >> 8}.${n & 255}`, `10.1.${n >> 8}.${n & 255}`];
    if (client(from('10.0.0.1', `${caller},${proxy}`)) !== caller) wrong.push(caller);
    if (client(from(caller, '10.0.0.1')) !== caller) wrong.push(caller);
  }
  t.same(wrong, []);
  t.end();
});
