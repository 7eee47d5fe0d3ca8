import t from 'tap';
import { newAddress } from '../net/address.js';
import { parsePrefix } from '../net/prefix.js';
import { AddressCount } from './address-count.js';
import type { FlatTable } from './flat-table.js';
import { countNetworks } from './network-counts.js';
import { addressOf, exampleNetworks } from './networks.fixture.js';
import { PrefixTable } from './prefix-table.js';

/** Returns the networks and addresses of each group, as `countNetworks` counts them. */
function counted(table: FlatTable, groups: number, groupOf?: Uint32Array) {
  const sums = Array.from({ length: groups }, () => ({ networks: 0, space: new AddressCount() }));
  const counts = countNetworks(table, groups, groupOf);
  counts.forEach((group, { length, family }, count) => {
    sums[group]!.networks += count;
    sums[group]!.space.add(length, family, count);
  });
  if (counts.spanning) {
    sums[counts.spanning.group]!.networks++;
    sums[counts.spanning.group]!.space.addNetwork(newAddress(), counts.spanning.length);
  }
  return sums.map(figures);
}

/** The same, network by network. */
function walked(table: FlatTable, groups: number, groupOf?: Uint32Array) {
  const sums = Array.from({ length: groups }, () => ({ networks: 0, space: new AddressCount() }));
  table.forEach((address, length, id) => {
    const sum = sums[groupOf ? groupOf[id]! : 0]!;
    sum.networks++;
    sum.space.addNetwork(address, length);
  });
  return sums.map(figures);
}

function figures({ networks, space }: { networks: number; space: AddressCount }) {
  return { networks, ipv4: space.ipv4Addresses, ipv6: space.ipv6Slash64s };
}

function tableOf(...prefixes: string[]): FlatTable {
  const table = new PrefixTable();
  for (const [id, text] of prefixes.entries()) {
    const { address, length } = parsePrefix(text)!;
    table.insert(address, length, id);
  }
  return table.flatten();
}

t.test('agrees with a walk from network to network, by group', (t) => {
  const networks = exampleNetworks(5000, 300);
  const table = new PrefixTable();
  for (let i = 0; i < networks.count; i++) {
    table.insert(addressOf(networks, i), networks.lengths[i]!, networks.recordIds[i]!);
  }
  const flat = table.flatten();
  const groupOf = Uint32Array.from({ length: 300 }, (_, id) => id % 7);
  t.same(counted(flat, 7, groupOf), walked(flat, 7, groupOf));
  t.same(counted(flat, 1), walked(flat, 1));
  t.ok(counted(flat, 1)[0]!.networks > 1000);
  t.end();
});

t.test('agrees at the borders of the IPv4 space', (t) => {
  for (const prefixes of [
    [],
    ['::/0'],
    ['::/95'],
    ['::/96'],
    ['::1:0:0/96'],
    ['0.0.0.0/1'],
    ['0.0.0.0/32', '255.255.255.255/32', '::1:0:0/128'],
    ['128.0.0.0/1', '::1:0:0/96', '2001:db8::/32'],
    ['8000::/1', '::/2'],
  ]) {
    const table = tableOf(...prefixes);
    const groupOf = Uint32Array.from(prefixes, (_, id) => id);
    const groups = Math.max(1, prefixes.length);
    t.same(counted(table, groups, groupOf), walked(table, groups, groupOf), prefixes.join(' '));
  }
  t.end();
});
