import t from 'tap';
import { parsePrefix } from '../net/prefix.js';
import { PrefixTable } from '../table/prefix-table.js';
import type { IspRecord } from '../isp/isp-record.js';
import type { IspDataset } from '../isp/isp-dataset.js';
import { IspFigures } from './isp-figures.js';

const RECORDS: readonly IspRecord[] = [
  { is_anonymous: true, proxy: { type: 'VPN', provider: 'Mullvad' } },
  { proxy: { type: 'DCH' }, cloud: { provider: 'Amazon AWS' } },
  { isp: 'Chinanet' },
];

function dataset(prefixes: Readonly<Record<string, number>>): IspDataset {
  const table = new PrefixTable();
  for (const [text, id] of Object.entries(prefixes)) {
    const { address, length } = parsePrefix(text)!;
    table.insert(address, length, id);
  }
  return {
    table: table.flatten(),
    records: { length: RECORDS.length, at: (id) => RECORDS[id]! },
    schema: 'string',
    databaseType: 'x',
    description: {},
    languages: [],
    counters: {},
    uses: new Map(),
  };
}

t.test('space is counted by type and cloud; a type alone does not make a proxy', (t) => {
  const figures = new IspFigures();
  const watched = figures.watching(
    dataset({ '1.0.0.0/24': 0, '1.0.2.0/32': 0, '2001:db8::/48': 0, '2.0.0.0/16': 1, '3.0.0.0/8': 2 }),
  );
  RECORDS.forEach((record, id) => {
    t.equal(watched.records.at(id), record, 'records pass through as they are');
  });
  const proxies = { networks: 3, ipv4Addresses: 257, ipv6Slash64s: 65_536 };
  const cloud = { networks: 1, ipv4Addresses: 65_536, ipv6Slash64s: 0 };
  const expected = {
    proxies,
    'types.VPN': proxies,
    'types.DCH': cloud,
    clouds: cloud,
    'providers.Amazon AWS': cloud,
  };
  const names = Object.entries(expected).flatMap(([name, extent]) =>
    Object.entries(extent).map(([figure, count]) => [`${name}.${figure}`, count]),
  );
  t.same(figures.count(watched.table), Object.fromEntries(names));
  t.end();
});

t.test('an unused record is not counted', (t) => {
  const figures = new IspFigures();
  t.same(figures.count(figures.watching(dataset({ '1.0.0.0/24': 0 })).table), {});
  t.end();
});
