import t from 'tap';
import { newAddress } from '../net/address.js';
import { lastAddressInto, parsePrefix } from '../net/prefix.js';
import { PrefixTable } from '../table/prefix-table.js';
import { compareGeo, type Extent, type GeoRecord, type GeoTable } from './compare-geo.js';

/** A table of `prefix -> record`, a record being `US` or `US/city`; `/x` has no country. */
function geo(networks: Record<string, string>): GeoTable {
  const names = [...new Set(Object.values(networks))];
  const table = new PrefixTable();
  for (const [text, name] of Object.entries(networks)) {
    const prefix = parsePrefix(text)!;
    table.insert(prefix.address, prefix.length, names.indexOf(name));
  }
  return { table: table.flatten(), records: names.map(recordOf) };
}

function recordOf(name: string): GeoRecord {
  const country = name.split('/')[0]!;
  return country === '' ? { key: name } : { country, key: name };
}

function extent(ipv4Addresses: number, ipv6Slash64s = 0): Extent {
  return { ipv4Addresses, ipv6Slash64s };
}

t.test('every address is unchanged, added, removed, moved or changed', (t) => {
  const before = geo({
    '1.0.0.0/24': 'US/a',
    '1.0.1.0/24': 'US/a',
    '1.0.2.0/24': 'US/a',
    '1.0.3.0/24': 'CN',
    '2001:db8::/32': 'US/a',
    '2001:db9::/48': '/somewhere',
  });
  const after = geo({
    '1.0.0.0/24': 'US/a',
    '1.0.1.0/24': 'US/b',
    '1.0.2.0/25': 'CN',
    '1.0.4.0/32': 'CN',
    '2001:db8::/32': 'US/a',
    '2001:db8:1::/64': 'CN',
    '2001:db9::/48': 'JP',
  });
  const found = compareGeo(before, after);
  t.same(found.before, extent(1024, 2 ** 32 + 2 ** 16));
  t.same(found.after, extent(641, 2 ** 32 + 2 ** 16));
  t.same(found.changes, {
    unchanged: extent(256, 2 ** 32 - 1),
    added: extent(1),
    removed: extent(128 + 256),
    moved: extent(128, 1 + 2 ** 16),
    changed: extent(256),
  });
  t.same(found.moves, [
    { from: 'US', to: 'CN', ...extent(128, 1) },
    { from: 'none', to: 'JP', ...extent(0, 2 ** 16) },
  ]);
  const china = found.countries.find(({ country }) => country === 'CN');
  t.same(china, {
    country: 'CN',
    before: extent(256),
    after: extent(129, 1),
    gained: extent(129, 1),
    lost: extent(256),
    changed: extent(0),
  });
  t.same(found.countries.find(({ country }) => country === 'US')!.changed, extent(256));
  t.same(
    found.countries.map(({ country }) => country),
    ['CN', 'US', 'JP', 'none'],
  );
  t.end();
});

t.test('a dataset compared with itself is unchanged, with an empty one removed or added', (t) => {
  const some = geo({ '0.0.0.0/0': 'US', '2000::/3': 'CN' });
  const empty = geo({});
  const all = extent(2 ** 32, 2 ** 61);
  t.match(compareGeo(some, some), { changes: { unchanged: all, moved: extent(0) }, moves: [] });
  t.match(compareGeo(some, empty), { changes: { removed: all }, after: extent(0) });
  t.match(compareGeo(empty, some), { changes: { added: all }, before: extent(0) });
  t.same(compareGeo(empty, empty).countries, []);
  t.end();
});

t.test('the same record under another id is unchanged', (t) => {
  const before = geo({ '1.0.0.0/8': 'US', '2.0.0.0/8': 'CN' });
  const after = geo({ '2.0.0.0/8': 'CN', '1.0.0.0/8': 'US' });
  t.same(compareGeo(before, after).changes.unchanged, extent(2 ** 25));
  t.end();
});

t.test('networks longer than /64 are summed before they are rounded', (t) => {
  const before = geo({ '2001:db8::/65': 'US', '2001:db8:0:0:8000::/66': 'US', '2001:db8:0:1::/66': 'US' });
  const after = geo({ '2001:db8::/64': 'CN', '2001:db8:0:1::/66': 'CN' });
  const { changes } = compareGeo(before, after);
  t.same(changes.moved, extent(0, 1), 'a half and two quarters');
  t.same(changes.added, extent(0, 0), 'a quarter');
  t.end();
});

t.test('agrees with a count address by address on random tables', (t) => {
  let seed = 11;
  const random = (below: number): number => {
    seed = (Math.imul(seed, 1103515245) + 12345) >>> 0;
    return (seed >>> 8) % below;
  };
  const names = ['US', 'US/a', 'CN', '/x', 'JP/tokyo'];
  const randomNetworks = (): Record<string, string> => {
    const networks: Record<string, string> = {};
    for (let i = random(12); i > 0; i--) {
      const length = 24 + random(9);
      const host = (random(256) >>> (32 - length)) << (32 - length);
      networks[`10.0.0.${host & 255}/${length}`] = names[random(names.length)]!;
    }
    return networks;
  };
  for (let round = 0; round < 200; round++) {
    const before = geo(randomNetworks());
    const after = geo(randomNetworks());
    t.same(ipv4Of(compareGeo(before, after)), countOneByOne(before, after));
  }
  t.end();
});

function ipv4Of({ changes }: ReturnType<typeof compareGeo>): Record<string, number> {
  return Object.fromEntries(
    Object.entries(changes).map(([name, { ipv4Addresses }]) => [name, ipv4Addresses]),
  );
}

function countOneByOne(before: GeoTable, after: GeoTable): Record<string, number> {
  const counts = { unchanged: 0, added: 0, removed: 0, moved: 0, changed: 0 };
  const prefix = parsePrefix('10.0.0.0/24')!;
  const last = newAddress();
  lastAddressInto(prefix.address, prefix.length, last);
  for (const address = prefix.address.slice(); address[3]! <= last[3]!; address[3]!++) {
    const [a, b] = [before, after].map(
      ({ table, records }) => records[table.lookup(address)?.recordId ?? -1],
    );
    if (a && b) {
      if (a.key === b.key) counts.unchanged++;
      else if (a.country === b.country) counts.changed++;
      else counts.moved++;
    } else if (a) counts.removed++;
    else if (b) counts.added++;
  }
  return counts;
}
