import t from 'tap';
import { newAddress } from '../net/address.js';
import { formatPrefix, parsePrefix } from '../net/prefix.js';
import { FlatTable } from './flat-table.js';
import { pseudoRandom } from './networks.fixture.js';
import { PrefixTable } from './prefix-table.js';
import { relabel } from './relabel.js';
import { ABSENT } from './zip.js';

function tableOf(rows: Readonly<Record<string, number>>): FlatTable {
  const table = new PrefixTable();
  for (const [text, id] of Object.entries(rows)) {
    const { address, length } = parsePrefix(text)!;
    table.insert(address, length, id);
  }
  return table.flatten();
}

function networksOf(table: FlatTable): string[] {
  const networks: string[] = [];
  table.forEach((address, length, id) => networks.push(`${formatPrefix(address, length, 6)} ${id}`));
  return networks;
}

t.test(
  'networks get their new records; ABSENT leaves them out, neighbours that are now equal are joined',
  (t) => {
    const table = tableOf({ '2001:db8::/33': 0, '2001:db8:8000::/33': 1, '2002::/16': 2, '2003::/16': 0 });
    t.same(networksOf(relabel(table, [5, 5, ABSENT])), ['2001:db8::/32 5', '2003::/16 5']);
    t.same(networksOf(relabel(table, [1, 0, 7])), [
      '2001:db8::/33 1',
      '2001:db8:8000::/33 0',
      '2002::/16 7',
      '2003::/16 1',
    ]);
    t.end();
  },
);

t.test('relabel gives the same table as inserting the networks with their new records', (t) => {
  const random = pseudoRandom(3);
  let [joined, dropped] = [0, 0];
  for (let round = 0; round < 50; round++) {
    const prefixes = new PrefixTable();
    for (let i = 0; i < 60; i++) {
      const length = 100 + random(29);
      const address = newAddress();
      address[3] = ((random(4) << 26) | (random(8) << (128 - length))) >>> 0;
      prefixes.insert(address, length, random(8));
    }
    const table = prefixes.flatten();
    const before = networksOf(table);
    const ids = Int32Array.from({ length: 8 }, () => random(4) - 1);
    const expected = new PrefixTable();
    table.forEach((address, length, id) => {
      if (ids[id] === ABSENT) dropped++;
      else expected.insert(address.slice(), length, ids[id]!);
    });
    const relabelled = relabel(table, ids);
    t.same(relabelled.slots, expected.flatten().slots);
    t.same(networksOf(table), before, 'the original table is unchanged');
    joined += table.networkCount() - relabelled.networkCount();
  }
  t.ok(dropped > 100, `${dropped} were left out`);
  t.ok(joined > dropped, 'and others joined');
  t.end();
});

t.test('an empty table, a table that covers everything, and a table that loses every network', (t) => {
  t.same(networksOf(relabel(FlatTable.empty(), [])), []);
  const whole = new PrefixTable();
  whole.insert(newAddress(), 0, 3);
  t.same(networksOf(relabel(whole.flatten(), [0, 0, 0, 9])), ['::/1 9', '8000::/1 9']);
  t.same(relabel(whole.flatten(), [0, 0, 0, ABSENT]).slots, FlatTable.empty().slots);
  t.end();
});
