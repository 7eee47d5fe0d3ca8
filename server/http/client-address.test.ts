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
