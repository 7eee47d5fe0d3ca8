import t from 'tap';
import type { FlatTable } from '../table/flat-table.js';
import { parsePrefix } from '../net/prefix.js';
import { exampleNetworks, addressOf } from '../table/networks.fixture.js';
import { PrefixTable } from '../table/prefix-table.js';
import { measureCoverage, type CoverageFigures, type Origin } from './coverage.js';

function tableOf(networks: Readonly<Record<string, number>>): FlatTable {
  const table = new PrefixTable();
  for (const [text, id] of Object.entries(networks)) {
    const prefix = parsePrefix(text)!;
    table.insert(prefix.address, prefix.length, id);
  }
  return table.flatten();
}

const NOTHING = { networks: 0, ipv4Addresses: 0, ipv6Slash64s: 0 };

t.test('networks and addresses are counted in total, by deciding feed and by country', (t) => {
  const table = tableOf({ '1.0.0.0/24': 0, '1.0.2.0/23': 1, '2400::/32': 2, '2.0.0.0/8': 3 });
  const figures = measureCoverage(table, [
    { country: 'FR', decidedBy: 'dbip' },
    { country: 'DE', decidedBy: 'dbip' },
    { country: 'FR', decidedBy: 'own' },
    {},
  ]);
  const rest = { networks: 1, ipv4Addresses: 2 ** 24, ipv6Slash64s: 0 };
  const six = { networks: 1, ipv4Addresses: 0, ipv6Slash64s: 2 ** 32 };
  t.same(figures, {
    coverage: { networks: 4, ipv4Addresses: 256 + 512 + 2 ** 24, ipv6Slash64s: 2 ** 32 },
    coverageByFeed: {
      dbip: { networks: 2, ipv4Addresses: 256 + 512, ipv6Slash64s: 0 },
      none: rest,
      own: six,
    },
    coverageByCountry: {
      DE: { networks: 1, ipv4Addresses: 512, ipv6Slash64s: 0 },
      FR: { networks: 2, ipv4Addresses: 256, ipv6Slash64s: 2 ** 32 },
      none: rest,
    },
  } satisfies CoverageFigures);
  t.same(Object.keys(figures.coverageByCountry), ['DE', 'FR', 'none'], 'in one order every night');
  t.end();
});

t.test('a network inside another one is counted once', (t) => {
  const table = tableOf({ '1.0.0.0/8': 0, '1.2.3.0/24': 1 });
  const { coverage, coverageByCountry } = measureCoverage(table, [{ country: 'FR' }, { country: 'DE' }]);
  t.equal(coverage.ipv4Addresses, 2 ** 24);
  t.equal(coverageByCountry['FR']?.ipv4Addresses, 2 ** 24 - 256);
  t.equal(coverageByCountry['DE']?.ipv4Addresses, 256);
  t.end();
});

t.test('an empty table covers nothing', (t) => {
  const figures = measureCoverage(tableOf({}), []);
  t.same(figures, { coverage: NOTHING, coverageByFeed: {}, coverageByCountry: {} });
  t.end();
});

t.test('the parts add up to the whole', (t) => {
  const origins: Origin[] = Array.from({ length: 40 }, (_, id) => ({
    country: id % 7 === 0 ? undefined : `C${id % 5}`,
    decidedBy: id % 3 === 0 ? undefined : `feed ${id % 4}`,
  }));
  const networks = exampleNetworks(2000, origins.length);
  const table = new PrefixTable();
  for (let i = 0; i < networks.count; i++) {
    table.insert(addressOf(networks, i), networks.lengths[i]!, networks.recordIds[i]!);
  }
  const { coverage, coverageByFeed, coverageByCountry } = measureCoverage(table.flatten(), origins);
  for (const parts of [coverageByFeed, coverageByCountry]) {
    for (const figure of ['networks', 'ipv4Addresses'] as const) {
      const sum = Object.values(parts).reduce((total, part) => total + part[figure], 0);
      t.equal(sum, coverage[figure], figure);
    }
  }
  t.ok(coverage.networks > 1000);
  t.end();
});

t.test('coverage by level is counted if the records have levels', (t) => {
  const table = tableOf({ '1.0.0.0/24': 0, '1.0.1.0/24': 1, '1.0.2.0/23': 2, '1.0.4.0/24': 3 });
  const origins: Origin[] = [
    { country: 'FR', decidedBy: 'own', level: 'city' },
    { country: 'FR', decidedBy: 'own', level: 'country' },
    { country: 'DE', decidedBy: 'own', level: 'city' },
    { level: 'none' },
  ];
  const { coverageByLevel = {}, coverageByCountry } = measureCoverage(table, origins);
  t.same(
    Object.entries(coverageByLevel).map(([level, { ipv4Addresses }]) => [level, ipv4Addresses]),
    [
      ['city', 768],
      ['country', 256],
      ['none', 256],
    ],
  );
  t.equal(coverageByCountry['FR']?.ipv4Addresses, 512);
  t.notHas(
    measureCoverage(
      table,
      origins.map(({ level: _, ...origin }) => origin),
    ),
    { coverageByLevel: {} },
  );
  t.end();
});
