import { Reader, type Response } from 'maxmind';
import t from 'tap';
import { verifyMmdb } from '../mmdb/verify.js';
import { encodeMmdb } from '../mmdb/write.js';
import { formatIpv4 } from '../net/address.js';
import { formatPrefix } from '../net/prefix.js';
import { networkDirectory } from './network-directory.js';
import { networksDataset, type LinkedNetwork, type NetworkRecord } from './network-records.js';
import type { RoutingParts } from './parts.js';
import { smallParts, type SmallLink, type SmallRoute } from './testing/small-parts.js';

/** Returns records by AS number, in the order of the dataset. */
function recordsOf(parts: RoutingParts): Map<number, NetworkRecord> {
  const { records } = networksDataset(parts, networkDirectory(parts));
  const all = Array.from({ length: records.length }, (_, id) => records.at(id) as NetworkRecord);
  return new Map(all.map((record) => [record.asn, record]));
}

function write(parts: RoutingParts): Buffer {
  return encodeMmdb({
    ...networksDataset(parts, networkDirectory(parts)),
    languages: [],
    buildEpoch: 1_795_046_400,
  });
}

const PARTS = smallParts({
  routes: {
    '1.0.0.0/24': { origins: [13335] },
    '1.0.0.0/16': { origins: [13335, 5] },
    '2400::/32': { origins: [13335] },
    '9.0.0.0/8': {},
    '8.0.0.0/8': { origins: [64512] },
  },
  links: [
    [3356, '>', 13335, 40],
    [174, '>', 13335, 41],
    [13335, '>', 200_000, 1],
    [13335, '-', 15169, 6],
    [13335, '-', 6939, 6],
  ],
  delegations: [
    { asn: 13335, registry: 'arin', status: 'assigned', country: 'US', date: '2010-07-14' },
    { asn: 7, registry: 'ripe', status: 'allocated' },
  ],
  names: { 13335: { name: 'CLOUDFLARENET', entity: 'Cloudflare, Inc.' }, 174: { name: 'COGENT-174' } },
  peeringDb: {
    exchanges: [
      { id: 1, name: 'DE-CIX', city: 'Frankfurt', country: 'DE' },
      { id: 2, name: 'LINX' },
      { id: 3, name: 'AMS-IX', city: 'Amsterdam', country: 'NL' },
    ],
    connections: [
      { asn: 13335, exchange: 1, speed: 100_000 },
      { asn: 13335, exchange: 3, speed: 150_000 },
      { asn: 13335, exchange: 1, speed: 100_000 },
      { asn: 13335, exchange: 9, speed: 900_000 },
      { asn: 13335, exchange: 2, speed: 150_000 },
      { asn: 5, exchange: 3, speed: 10 },
    ],
  },
});

t.test('a record has the identity, prefixes, links and exchanges of an AS', (t) => {
  t.strictSame(recordsOf(PARTS).get(13335), {
    name: 'CLOUDFLARENET',
    entity: 'Cloudflare, Inc.',
    country: 'US',
    registry: 'arin',
    status: 'assigned',
    date: '2010-07-14',
    ipv4_prefixes: ['1.0.0.0/16', '1.0.0.0/24'],
    ipv6_prefixes: ['2400::/32'],
    topology: {
      upstreams: [
        { asn: 174, power: 41, name: 'COGENT-174', power4: 21, power6: 20 },
        { asn: 3356, power: 40, power4: 40 },
      ],
      downstreams: [{ asn: 200_000, power: 1, power4: 1, uncertain: true }],
      peers: [
        { asn: 6939, power: 6, power4: 6 },
        { asn: 15169, power: 6, power4: 6 },
      ],
    },
    exchanges: [
      { id: 1, name: 'DE-CIX', city: 'Frankfurt', country: 'DE' },
      { id: 2, name: 'LINX' },
      { id: 3, name: 'AMS-IX', city: 'Amsterdam', country: 'NL' },
    ],
    in_use: true,
    asn: 13335,
  });
  t.end();
});

t.test('unknown fields of an AS are absent', (t) => {
  const records = recordsOf(PARTS);
  t.strictSame(records.get(7), { registry: 'ripe', status: 'allocated', in_use: false, asn: 7 });
  t.strictSame(records.get(5), {
    ipv4_prefixes: ['1.0.0.0/16'],
    exchanges: [{ id: 3, name: 'AMS-IX', city: 'Amsterdam', country: 'NL' }],
    in_use: true,
    asn: 5,
  });
  t.strictSame(records.get(200_000)?.topology, {
    upstreams: [{ asn: 13335, power: 1, name: 'CLOUDFLARENET', power4: 1, uncertain: true }],
  });
  t.end();
});

t.test(
  'AS numbers that are delegated, originate or have a link have a record; reserved numbers have none',
  (t) => {
    t.same([...recordsOf(PARTS).keys()], [5, 7, 174, 3356, 6939, 13335, 15169, 200_000]);
    const names = { 8: { name: 'ONLY-A-NAME' } };
    const delegations = [{ asn: 65_001, registry: 'ripe', status: 'allocated' } as const];
    t.same([...recordsOf(smallParts({ names, delegations, links: [[64_496, '>', 9, 2]] })).keys()], [9]);
    t.end();
  },
);

t.test('the file is looked up by AS number and passes the verifier', (t) => {
  const file = write(PARTS);
  const { schema } = networksDataset(PARTS, networkDirectory(PARTS));
  const report = verifyMmdb(file, { schema });
  t.same(report.problems, []);
  t.equal(report.metadata?.ipVersion, 4);
  const reader = new Reader<Response>(file);
  for (const [asn, record] of recordsOf(PARTS)) t.strictSame(reader.get(formatIpv4(asn)), record);
  t.match(reader.get('0.0.52.23'), { asn: 13335 });
  t.equal(reader.get(formatIpv4(64512)), null);
  t.equal(reader.get(formatIpv4(13336)), null);
  t.end();
});

t.test('without sources the file is empty', (t) => {
  const report = verifyMmdb(write(smallParts({})));
  t.same(report.problems, []);
  t.equal(report.counts.records, 0);
  t.end();
});

t.test('property: every link of an AS is in exactly one list of its topology', (t) => {
  for (let seed = 1; seed <= 20; seed++) {
    const links = randomLinks(seed);
    const records = recordsOf(smallParts({ links }));
    const asns = [...new Set(links.flatMap(([left, , right]) => [left, right]))].sort((a, b) => a - b);
    const expected = asns.map((asn) => {
      const linked = (list: string): string[] => linkedIn(list, asn, links);
      return {
        asn,
        upstreams: linked('upstreams'),
        downstreams: linked('downstreams'),
        peers: linked('peers'),
      };
    });
    const found = [...records.values()].map(({ asn, topology }) => {
      const linked = (list: readonly LinkedNetwork[] = []): string[] =>
        list.map((other) => `${other.power} ${other.asn}`);
      const { upstreams, downstreams, peers } = topology ?? {};
      return { asn, upstreams: linked(upstreams), downstreams: linked(downstreams), peers: linked(peers) };
    });
    t.same(found, expected, `seed ${seed}`);
    const lists = [...records.values()].flatMap(
      ({ topology }) => Object.values(topology ?? {}) as unknown[][],
    );
    t.notOk(
      lists.some(({ length }) => length === 0),
      'no list is empty',
    );
  }
  t.end();
});

t.test('property: every prefix is in exactly the lists of its origins, in address order', (t) => {
  for (let seed = 1; seed <= 20; seed++) {
    const parts = smallParts({ routes: randomRoutes(seed) });
    const { count, addresses, lengths, originStarts, originAsns } = parts.routes;
    const expected = new Map<number, string[]>();
    for (let route = 0; route < count; route++) {
      const text = formatPrefix(addresses.subarray(4 * route, 4 * route + 4), lengths[route]!);
      for (const asn of originAsns.subarray(originStarts[route], originStarts[route + 1])) {
        expected.set(asn, [...(expected.get(asn) ?? []), text]);
      }
    }
    const records = [...recordsOf(parts).values()];
    const found = records.map(({ asn, ipv4_prefixes = [], ipv6_prefixes = [] }) => {
      return [asn, [...ipv4_prefixes, ...ipv6_prefixes]] as const;
    });
    t.same(new Map(found), expected, `seed ${seed}`);
    t.ok(records.every(({ in_use }) => in_use));
    t.ok(records.every(({ ipv4_prefixes }) => ipv4_prefixes?.every((text) => !text.includes(':')) ?? true));
    t.ok(records.every(({ ipv6_prefixes }) => ipv6_prefixes?.every((text) => text.includes(':')) ?? true));
  }
  t.end();
});

/** Returns `power asn` of the expected entries of one list of an AS, found link by link. */
function linkedIn(list: string, asn: number, links: readonly SmallLink[]): string[] {
  return links
    .filter(([left, kind, right]) => {
      if (kind === '-') return list === 'peers' && (left === asn || right === asn);
      return list === 'downstreams' ? left === asn : list === 'upstreams' && right === asn;
    })
    .map(([left, , right, power]) => ({ asn: left === asn ? right : left, power }))
    .sort((a, b) => b.power - a.power || a.asn - b.asn)
    .map((other) => `${other.power} ${other.asn}`);
}

function lcg(seed: number): () => number {
  return () => (seed = (Math.imul(seed, 1664525) + 1013904223) >>> 0) / 2 ** 32;
}

/** Returns random links, one per pair of some twenty AS numbers of 16 and 32 bits, with repeated powers. */
function randomLinks(seed: number): SmallLink[] {
  const random = lcg(seed);
  const links = new Map<string, SmallLink>();
  for (let i = 0; i < 60; i++) {
    const [a, b] = [randomAsn(random), randomAsn(random)];
    if (a === b) continue;
    const [low, high] = a < b ? [a, b] : [b, a];
    const power = 1 + Math.floor(random() * 6);
    const isPeer = random() < 0.5;
    const [left, right] = isPeer || random() < 0.5 ? [low, high] : [high, low];
    links.set(`${low} ${high}`, [left, isPeer ? '-' : '>', right, power]);
  }
  return [...links.values()];
}

function randomRoutes(seed: number): Record<string, SmallRoute> {
  const random = lcg(seed);
  const routes: Record<string, SmallRoute> = {};
  for (let i = 0; i < 60; i++) {
    const origins = new Set(Array.from({ length: Math.floor(random() * 4) }, () => randomAsn(random)));
    const octet = Math.floor(random() * 200);
    const prefix =
      random() < 0.6 ? `20.${octet}.0.0/${16 + (i % 9)}` : `24${octet % 90 || '00'}::/${29 + (i % 20)}`;
    routes[prefix] = { origins: [...origins] };
  }
  return routes;
}

function randomAsn(random: () => number): number {
  const low = 1 + Math.floor(random() * 20);
  return random() < 0.3 ? low + 4_199_998_000 : low;
}
