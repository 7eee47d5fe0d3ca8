import assert from 'node:assert';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Reader, type Response } from 'maxmind';
import t from 'tap';
import { pythonLookup, without } from '../mmdb/testing/oracles.js';
import { verifyMmdb } from '../mmdb/verify.js';
import { formatAddress } from '../net/address.js';
import { formatPrefix, parsePrefix } from '../net/prefix.js';
import type { PeeringDb, RpkiState, Vrps } from '../registry/registries.js';
import { pseudoRandom } from '../table/networks.fixture.js';
import type { RoutingParts } from './parts.js';
import { routesDataset } from './route-records.js';
import type { AddressRecord, RouteRecord } from './route-schema.js';
import { datasetBytes } from './testing/dataset-bytes.js';
import { routesAsText } from './testing/naive-routes.js';
import { partsOfRib, smallDelegations, smallDirectory } from './testing/rib-parts.js';

type Entries = Readonly<Record<string, readonly string[]>>;

/** `maxmind` has record types of its own, so ours are cast. */
type Routes = Reader<AddressRecord & Response>;

function readerOf(parts: RoutingParts, directory = smallDirectory()): Routes {
  const dataset = routesDataset(parts, directory);
  const bytes = datasetBytes(dataset);
  assert.deepStrictEqual(verifyMmdb(bytes, { schema: dataset.schema }).problems, []);
  return new Reader(bytes);
}

/** Returns the exact route: the record of its first address, or one of its parents. */
function exactRoute(reader: Routes, text: string): RouteRecord | undefined {
  const { address, family } = parsePrefix(text)!;
  let route: Partial<RouteRecord> | undefined = reader.get(formatAddress(address, family)) ?? undefined;
  while (route && route.prefix !== text) route = route.parent;
  return route as RouteRecord | undefined;
}

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

t.test('a record has the route, its origins and its neighbours', (t) => {
  const vrps: Vrps = {
    count: 1,
    stateOf: (_address, _length, origin): RpkiState => (origin === 30 ? 'valid' : 'invalid'),
  };
  const parts = partsOfRib({ '1.0.0.0/16': ['1 20 30', '2 20 30', '3 20 40', '1: 1 25 30'] }, {}, vrps);
  const reader = readerOf(
    parts,
    smallDirectory({
      identities: { 30: { name: 'THIRTY', entity: 'Thirty Ltd', country: 'FR', registry: 'ripe' } },
      neighbours: { 30: [{ asn: 20, name: 'TWENTY' }, { asn: 25 }] },
      lines: { 30: 'CN2' },
    }),
  );
  t.strictSame(reader.getWithPrefixLength('1.0.200.1'), [
    {
      prefix: '1.0.0.0/16',
      origin: 30,
      origins: [
        { asn: 30, peers: 2, rpki: 'valid' },
        { asn: 40, peers: 1, rpki: 'invalid' },
      ],
      rpki: 'valid',
      as_name: 'THIRTY',
      as_country: 'FR',
      upstreams: [
        { asn: 20, count: 3 },
        { asn: 25, count: 1 },
      ],
      neighbours: [{ asn: 20, name: 'TWENTY' }, { asn: 25 }],
      line: 'CN2',
    },
    16,
  ]);
  t.equal(reader.get('1.1.0.0'), null);
  t.equal(reader.metadata.databaseType, 'ipatlas-Routes');
  t.end();
});

t.test('unknown fields are absent', (t) => {
  const reader = readerOf(partsOfRib({ '1.0.0.0/24': ['30'], '2a00::/32': ['1 {30,40}'] }));
  t.strictSame(reader.get('1.0.0.1'), { prefix: '1.0.0.0/24', origin: 30, origins: [{ asn: 30, peers: 1 }] });
  t.strictSame(reader.get('2a00::1'), { prefix: '2a00::/32' });
  t.end();
});

t.test('the registered holder is given besides the origin if it has exactly one AS number', (t) => {
  const delegations = smallDelegations(
    {
      '1.0.0.0/8': { registry: 'apnic', status: 'allocated', country: 'AU', holder: 'one' },
      '1.0.0.0/16': { registry: 'apnic', status: 'assigned', country: 'CN', holder: 'two' },
      '2.0.0.0/8': { registry: 'ripe', status: 'allocated', holder: 'one' },
      '3.0.0.0/8': { registry: 'arin', status: 'allocated' },
    },
    [
      { asn: 5, registry: 'apnic', status: 'allocated', holder: 'one' },
      { asn: 6, registry: 'apnic', status: 'allocated', holder: 'two' },
      { asn: 7, registry: 'apnic', status: 'allocated', holder: 'two' },
      { asn: 8, registry: 'arin', status: 'assigned' },
    ],
  );
  const reader = readerOf(partsOfRib({ '1.0.0.0/12': ['1 30'] }, { delegations }));
  const route = {
    prefix: '1.0.0.0/12',
    origin: 30,
    origins: [{ asn: 30, peers: 1 }],
    upstreams: [{ asn: 1, count: 1 }],
  };
  const outer = {
    prefix: '1.0.0.0/8',
    country: 'AU',
    registry: 'apnic',
    status: 'allocated',
    registered_as: 5,
  };
  const inner = { prefix: '1.0.0.0/16', country: 'CN', registry: 'apnic', status: 'assigned' };
  t.strictSame(reader.getWithPrefixLength('1.0.0.1'), [{ ...route, allocation: inner }, 16]);
  t.strictSame(reader.get('1.1.0.1'), { ...route, allocation: outer });
  t.strictSame(reader.get('1.16.0.1'), { allocation: outer }, 'a block without a route');
  t.strictSame(reader.get('2.0.0.1'), {
    allocation: { prefix: '2.0.0.0/8', registry: 'ripe', status: 'allocated' },
  });
  t.strictSame(reader.get('3.0.0.1'), {
    allocation: { prefix: '3.0.0.0/8', registry: 'arin', status: 'allocated' },
  });
  t.end();
});

t.test('an address in a peering LAN has the exchange, with or without a route', (t) => {
  const reader = readerOf(partsOfRib({ '80.81.192.0/24': ['1 30'] }, { peeringDb: PEERING_DB }));
  const exchange = { id: 7, name: 'Example-IX', city: 'Cologne', country: 'DE' };
  t.match(reader.get('80.81.192.1'), { prefix: '80.81.192.0/24', exchange });
  t.strictSame(reader.getWithPrefixLength('80.81.195.1'), [{ exchange }, 23]);
  t.strictSame(reader.get('2001:7f8::1'), { exchange: { id: 9, name: 'Other-IX' } });
  t.equal(reader.get('80.81.0.1'), null, 'an unlisted exchange');
  t.end();
});

const NESTED: Entries = {
  '1.0.0.0/8': ['1 8'],
  '1.0.0.0/16': ['1 16'],
  '1.0.0.0/17': ['1 17'],
  '1.0.128.0/17': ['1 18'],
  '1.1.0.0/16': ['1 16'],
  '2a00::/16': ['1 6'],
  '2a00::/32': ['1 7'],
};

t.test('addresses of the carrier overlay have its line, within a larger route and without a route', (t) => {
  const directory = smallDirectory({ lines: { 4134: '163' } });
  const covered = readerOf(partsOfRib({ '59.32.0.0/12': ['1 4134'] }), directory);
  t.equal(covered.get('59.43.0.1')?.line, 'CN2');
  t.equal(covered.get('59.43.0.1')?.prefix, '59.32.0.0/12');
  t.equal(covered.get('59.44.0.1')?.line, '163');
  const alone = readerOf(partsOfRib({ '1.0.0.0/24': ['1 2'] }));
  t.strictSame(alone.get('59.43.255.255'), { line: 'CN2' });
  t.equal(alone.get('59.42.0.0'), null);
  t.end();
});

t.test('a prefix that is fully covered by more specific ones is found exactly', (t) => {
  const delegations = smallDelegations({ '1.0.0.0/10': { registry: 'apnic', status: 'allocated' } });
  const reader = readerOf(partsOfRib(NESTED, { delegations }));
  for (const [prefix, [path]] of Object.entries(NESTED)) {
    t.match(exactRoute(reader, prefix), { prefix, origin: Number(path!.split(' ')[1]) });
  }
  const hidden = exactRoute(reader, '1.0.0.0/16')!;
  t.strictSame(Object.keys(hidden).sort(), ['origin', 'origins', 'parent', 'prefix', 'upstreams']);
  t.equal(hidden.parent?.prefix, '1.0.0.0/8');
  for (const prefix of ['1.0.0.0/12', '1.0.0.0/24', '1.128.0.0/9', '2a00::/24', '3.0.0.0/8']) {
    t.equal(exactRoute(reader, prefix), undefined, prefix);
  }
  t.end();
});

t.test('Python’s C extension reads the same chain', { skip: without('python') }, (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'routes-'));
  t.teardown(() => {
    rmSync(folder, { recursive: true });
  });
  const path = join(folder, 'routes.mmdb');
  const parts = partsOfRib(NESTED);
  writeFileSync(path, datasetBytes(routesDataset(parts, smallDirectory())));
  const reader = readerOf(parts);
  const ips = ['1.0.0.1', '1.0.128.0', '1.1.1.1', '1.200.0.0', '2a00::1', '2a00:1::'];
  t.strictSame(
    pythonLookup(path, ips),
    ips.map((ip) => {
      const [record, length] = reader.getWithPrefixLength(ip);
      return { record, length };
    }),
  );
  t.end();
});

t.test('property: exactly the routes of a random table are found', (t) => {
  const random = pseudoRandom(5);
  const entries: Record<string, string[]> = {};
  for (let i = 0; i < 400; i++) {
    const text =
      random(3) === 0
        ? `2a00:${random(4)}::/${16 + random(33)}`
        : `1.${random(4)}.${random(8)}.0/${4 + random(21)}`;
    const { address, length } = parsePrefix(text)!;
    entries[formatPrefix(address, length)] = [`1 ${100 + i}`];
  }
  const reader = readerOf(partsOfRib(entries));
  for (const [prefix, [path]] of Object.entries(entries)) {
    if (exactRoute(reader, prefix)?.origin !== Number(path!.split(' ')[1])) t.fail(prefix);
  }
  for (let length = 4; length <= 24; length++) {
    const { address, length: bits } = parsePrefix(`1.2.3.0/${length}`)!;
    const prefix = formatPrefix(address, bits);
    t.equal(exactRoute(reader, prefix) !== undefined, prefix in entries, prefix);
  }
  t.end();
});

t.test('shared lists are correct for each route', (t) => {
  const random = pseudoRandom(9);
  const path = (peer: number): string => `${peer} ${10 + random(3)} ${20 + random(2)}`;
  const entries = Object.fromEntries(
    Array.from({ length: 500 }, (_, i) => [
      `1.${i >> 8}.${i & 255}.0/24`,
      Array.from({ length: 1 + random(3) }, (_, peer) => path(1 + peer)),
    ]),
  );
  const parts = partsOfRib(entries);
  const reader = readerOf(parts);
  for (const { prefix, origins, upstreams } of routesAsText(parts.routes)) {
    const route = exactRoute(reader, prefix)!;
    t.same(
      route.origins!.map(({ asn, peers }) => `${asn} ${peers} not judged`),
      origins,
      prefix,
    );
    t.same(
      route.upstreams!.map(({ asn, count }) => `${asn} ${count}`),
      upstreams,
      prefix,
    );
  }
  t.end();
});
