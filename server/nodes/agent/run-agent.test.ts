import type { NetworkInterfaceInfoIPv4, NetworkInterfaceInfoIPv6 } from 'node:os';
import { join } from 'node:path';
import t from 'tap';
import { EgressGuard } from '../../egress/egress-guard.js';
import { OwnAddresses } from '../../egress/own-addresses.js';
import { readReservedSpace } from '../../targets/reserved-space.js';
import { hasPublicIpv6 } from './run-agent.js';

const reserved = await readReservedSpace(join('fixtures', 'feeds', 'iana'));

function v6(address: string, internal = false): NetworkInterfaceInfoIPv6 {
  const rest = { netmask: 'ffff:ffff:ffff:ffff::', mac: '02:00:00:00:00:01', cidr: `${address}/64` };
  return { address, family: 'IPv6', internal, scopeid: 0, ...rest };
}

function v4(address: string): NetworkInterfaceInfoIPv4 {
  const rest = { netmask: '255.255.255.0', mac: '02:00:00:00:00:01', cidr: `${address}/24` };
  return { address, family: 'IPv4', internal: false, ...rest };
}

t.test('a node with a public IPv6 address on an interface reports IPv6', (t) => {
  const address = '2a01:4f8::1';
  const own = new OwnAddresses({ read: () => [address] });
  const guard = new EgressGuard({ reserved, denied: [], allowLoopback: false, own });
  t.notOk(guard.allows(address));
  t.ok(hasPublicIpv6({ eth0: [v4('192.168.1.5'), v6('fe80::1'), v6(address)] }, reserved));
  t.end();
});

t.test('a node without a public IPv6 address does not', (t) => {
  const without = { lo: [v6('::1', true)], eth0: [v4('9.9.9.9'), v6('fe80::1')], eth1: [v6('fd00::5')] };
  t.notOk(hasPublicIpv6(without, reserved));
  t.notOk(hasPublicIpv6({ lo: [v6('2a01:4f8::1', true)] }, reserved), 'loopback does not count');
  t.notOk(hasPublicIpv6({}, reserved));
  t.end();
});
