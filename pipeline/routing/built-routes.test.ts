import t from 'tap';
import { formatPrefix, parsePrefix } from '../net/prefix.js';
import type { PeeringDb, Vrps } from '../registry/registries.js';
import { pseudoRandom } from '../table/networks.fixture.js';
import { routesDataset } from './route-records.js';
import { datasetBytes } from './testing/dataset-bytes.js';
import { partsOfRib, smallDelegations, smallDirectory } from './testing/rib-parts.js';

const PEERING_DB: PeeringDb = {
  networks: [],
  facilities: [],
  exchanges: [
    { id: 7, name: 'Example-IX', city: 'Cologne', country: 'DE' },
    { id: 9, name: 'Other-IX' },
  ],
  exchangePrefixes: [
    { exchange: 7, prefix: '80.81.192.0/22' },
    { exchange: 8, prefix: '80.81.0.0/22' },
    { exchange: 9, prefix: '2001:7f8::/64' },
    { exchange: 9, prefix: 'none' },
  ],
  connections: [],
  routeServers: [],
};

t.test('records are built with the bytes of records made as objects', (t) => {
  const random = pseudoRandom(21);
  const path = (peer: number): string =>
    `${peer} ${10 + random(4)} ${random(9) === 0 ? '{30,40}' : 20 + random(5)}`;
  const entries: Record<string, string[]> = {};
  for (let i = 0; i < 600; i++) {
    const text =
      random(3) === 0
        ? `2a00:${random(4)}::/${16 + random(33)}`
        : `1.${random(4)}.${random(8)}.0/${9 + random(16)}`;
    const { address, length } = parsePrefix(text)!;
    entries[formatPrefix(address, length)] = Array.from({ length: 1 + random(3) }, (_, peer) =>
      path(1 + peer),
    );
  }
  const delegations = smallDelegations({
    '1.0.0.0/9': { registry: 'apnic', status: 'allocated', country: 'AU' },
    '1.2.0.0/16': { registry: 'apnic', status: 'assigned', country: 'CN' },
    '80.0.0.0/8': { registry: 'ripe', status: 'allocated' },
  });
  const vrps: Vrps = {
    count: 1,
    stateOf: (_address, _length, origin) => (origin === 20 ? 'valid' : 'unknown'),
  };
  const parts = partsOfRib(entries, { delegations, peeringDb: PEERING_DB }, vrps);
  const directory = smallDirectory({
    identities: { 20: { name: 'TWENTY', country: 'FR' }, 21: { name: 'TWENTY-ONE' }, 22: { country: 'DE' } },
    neighbours: { 20: [{ asn: 10, name: 'TEN' }, { asn: 11 }], 23: [{ asn: 12 }] },
    lines: { 20: 'CN2', 24: '163' },
  });
  const dataset = routesDataset(parts, directory);
  const { records } = dataset;
  t.type(records.build, 'function');
  const plain = { length: records.length, at: (id: number) => records.at(id) };
  t.ok(datasetBytes(dataset).equals(datasetBytes({ ...dataset, records: plain })));
  t.ok(records.length > 100);
  t.end();
});
