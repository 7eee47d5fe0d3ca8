import t from 'tap';
import { parseAddress } from '../net/address.js';
import { formatPrefix, parsePrefix } from '../net/prefix.js';
import type { RpkiState, Vrps } from '../registry/registries.js';
import { FlatTable } from '../table/flat-table.js';
import { pseudoRandom } from '../table/networks.fixture.js';
import { reservedSpace } from '../table/reserved-space.js';
import type { RouteCounts } from './route-table.js';
import { summariseRoutes } from './summarise-routes.js';
import { naiveRoutes, routesAsText, type TextRoute } from './testing/naive-routes.js';
import { smallRib } from './testing/small-rib.js';

type Entries = Readonly<Record<string, readonly string[]>>;

interface Options {
  readonly routeServers?: readonly number[];
  readonly vrps?: Vrps;
  readonly reserved?: FlatTable;
  readonly visibilityFloor?: number;
}

function summarise(entries: Entries, options: Options = {}): { routes: TextRoute[]; counts: RouteCounts } {
  const { routeServers = [], vrps, reserved = FlatTable.empty(), ...rest } = options;
  const input = { rib: smallRib(entries), routeServers: new Set(routeServers), vrps, reserved, ...rest };
  const { routes, counts } = summariseRoutes(input);
  return { routes: routesAsText(routes), counts };
}

/** Returns the only route of a RIB. */
function only(paths: readonly string[], options: Options = {}): TextRoute {
  const { routes } = summarise({ '1.0.0.0/24': paths }, options);
  return routes[0]!;
}

/** Returns the kept prefixes. */
function left(entries: Entries, options: Options = {}): string[] {
  return summarise(entries, options).routes.map(({ prefix }) => prefix);
}

/** Returns entries of the sessions `from` to `to`, each with a path to AS 99. */
function seenBy(from: number, to: number): string[] {
  return Array.from({ length: to - from + 1 }, (_, i) => `${from + i} 99`);
}

t.test('with fewer than ten full feeds one full-feed peer makes a prefix visible', (t) => {
  const entries = {
    '1.0.0.0/24': seenBy(1, 9),
    '1.0.1.0/24': seenBy(1, 9),
    '1.0.2.0/24': seenBy(1, 9),
    '1.0.3.0/24': seenBy(1, 9),
    '1.0.4.0/24': ['1 99'],
    '1.0.5.0/24': ['20 99'],
  };
  const { routes, counts } = summarise(entries);
  t.same(
    routes.map(({ prefix, peers }) => `${prefix} ${peers}`),
    ['1.0.0.0/24 9', '1.0.1.0/24 9', '1.0.2.0/24 9', '1.0.3.0/24 9', '1.0.4.0/24 1'],
  );
  t.equal(counts.dropped.visibility, 1, 'only a partial feed has it');
  t.equal(counts.prefixes, 5);
  t.end();
});

t.test('with ten full feeds or more a tenth of them must have a prefix', (t) => {
  const everywhere = Object.fromEntries(
    Array.from({ length: 20 }, (_, i) => [`1.0.${i}.0/24`, seenBy(1, 30)]),
  );
  const prefixes = left({
    ...everywhere,
    '2.0.0.0/24': seenBy(1, 2),
    '2.0.1.0/24': seenBy(1, 3),
    '2.0.2.0/24': [...seenBy(1, 2), ...seenBy(40, 60)],
  });
  t.same(prefixes.slice(20), ['2.0.1.0/24'], 'partial feeds do not count');
  t.equal(left({ ...everywhere, '2.0.0.0/24': seenBy(1, 2) }, { visibilityFloor: 0.05 }).length, 21);
  t.end();
});

t.test('a full feed has four fifths of the largest number of prefixes of its family', (t) => {
  const many = (peers: readonly string[], count: number, family: 4 | 6): Entries =>
    Object.fromEntries(
      Array.from({ length: count }, (_, i) => [
        family === 4 ? `1.0.${i}.0/24` : `2a00:0:${i.toString(16)}::/48`,
        peers.filter((peer) => i < Number(peer.split('/')[1])).map((peer) => `${peer.split('/')[0]} 99`),
      ]),
    );
  const entries = { ...many(['1/10', '2/8', '3/6'], 10, 4), ...many(['3/5', '1/3'], 5, 6) };
  const lone = {
    '9.0.0.0/24': ['2 99'],
    '9.0.1.0/24': ['3 99'],
    '2a01::/48': ['1 99'],
    '2a02::/48': ['3 99'],
  };
  const prefixes = left({ ...entries, ...lone }).filter((prefix) => prefix in lone);
  t.same(prefixes, ['9.0.0.0/24', '2a02::/48']);
  t.end();
});

t.test('several entries of one peer for one prefix do not make its feed larger', (t) => {
  const entries = {
    '1.0.0.0/24': ['1 99', '1: 1 2 99', '1: 1 3 99', '1: 1 4 99', '5 99'],
    '1.0.1.0/24': ['5 99'],
  };
  t.same(left(entries), ['1.0.0.0/24', '1.0.1.0/24'], 'peer 5 has the full feed');
  t.end();
});

t.test(
  'too long prefixes do not make a feed larger, so leaking them does not make other feeds partial',
  (t) => {
    const table = Object.fromEntries([1, 2, 3, 4, 5].map((n) => [`1.0.${n}.0/24`, ['1 99', '2 99']]));
    const leaked = Object.fromEntries(Array.from({ length: 20 }, (_, n) => [`1.0.9.${n}/32`, ['2 99']]));
    t.ok(left({ ...table, ...leaked, '1.0.6.0/24': ['1 99'] }).includes('1.0.6.0/24'));
    t.end();
  },
);

t.test('default routes, long prefixes and special-purpose space are dropped and counted', (t) => {
  const reserved = reservedSpace([
    { prefix: parsePrefix('10.0.0.0/8')!, name: 'Private-Use', globallyReachable: false },
    { prefix: parsePrefix('2001:db8::/32')!, name: 'Documentation', globallyReachable: false },
  ]);
  const paths = ['1 2'];
  const { routes, counts } = summarise(
    {
      '0.0.0.0/0': paths,
      '::/0': paths,
      '1.0.0.0/25': paths,
      '1.0.0.0/24': paths,
      '2a00::/49': paths,
      '2a00::/48': paths,
      '10.0.0.0/8': paths,
      '10.1.0.0/16': paths,
      '8.0.0.0/5': paths,
      '240.0.0.0/24': paths,
      '2001:db8::/32': paths,
      '2001:db8:1::/48': paths,
      '2001:d00::/24': paths,
      '2000::/3': paths,
      '::/1': paths,
      '::/8': paths,
      'fc00::/7': paths,
    },
    { reserved },
  );
  t.same(
    routes.map(({ prefix }) => prefix),
    ['1.0.0.0/24', '8.0.0.0/5', '2000::/3', '2001:d00::/24', '2a00::/48'],
    'what merely covers reserved space stays',
  );
  t.same(counts.dropped, { visibility: 0, defaultRoute: 2, tooLong: 2, reserved: 8, reservedOrigin: 0 });
  t.match(counts, { prefixes: 5, ipv4: 2, ipv6: 3 });
  t.end();
});

t.test('the origin is the last AS, and prepends are one hop', (t) => {
  t.same(only(['1 2 3 3 3']), {
    prefix: '1.0.0.0/24',
    peers: 1,
    origins: ['3 1 not judged'],
    upstreams: ['2 1'],
  });
  t.end();
});

t.test('upstreams: the peer for a path of two hops, none for a path of one hop', (t) => {
  t.same(only(['1 3', '2 2 3', '3', '4 5 3', '6 5 3']).upstreams, ['5 2', '1 1', '2 1']);
  t.same(only(['3 3 3']).upstreams, []);
  t.end();
});

t.test('upstreams: route servers are ignored, even first or between prepends', (t) => {
  const { upstreams, origins } = only(['1 9 3', '2 5 9 3', '9 3', '4 5 9 3 9 3'], { routeServers: [9] });
  t.same(upstreams, ['5 2', '1 1']);
  t.same(origins, ['3 4 not judged']);
  t.end();
});

t.test('upstreams count every entry, origins and peers each session once', (t) => {
  t.same(only(['1 2 3', '1: 1 4 3', '1: 1 4 4 3', '1b: 1 2 3', '1: 1 5']), {
    prefix: '1.0.0.0/24',
    peers: 2,
    origins: ['3 2 not judged', '5 1 not judged'],
    upstreams: ['2 2', '4 2', '1 1'],
  });
  t.end();
});

t.test('several origins are sorted by peers, then by AS number', (t) => {
  const { routes, counts } = summarise({
    '1.0.0.0/24': ['1 30', '2 20', '3 20'],
    '1.0.1.0/24': ['1 30', '2 20', '3 10'],
    '1.0.2.0/24': ['1 30', '2 30', '3 30'],
  });
  t.same(
    routes.map(({ origins }) => origins.map((origin) => origin.replace(' not judged', ''))),
    [['20 2', '30 1'], ['10 1', '20 1', '30 1'], ['30 3']],
  );
  t.equal(counts.moas, 2);
  t.end();
});

t.test('a final set of one AS is the origin, a larger set gives no origin', (t) => {
  t.same(only(['1 3 {3}']).origins, ['3 1 not judged']);
  t.same(only(['1 2 {3}']).upstreams, ['2 1']);
  const { routes, counts } = summarise({
    '1.0.0.0/24': ['1 2 {3,4}', '5 2 {3,4}'],
    '1.0.1.0/24': ['1 2 {3,4}', '5 2 6'],
  });
  t.same(routes[0], { prefix: '1.0.0.0/24', peers: 2, origins: [], upstreams: [] });
  t.same(routes[1], { prefix: '1.0.1.0/24', peers: 2, origins: ['6 1 not judged'], upstreams: ['2 1'] });
  t.equal(counts.withoutOrigin, 1);
  t.equal(counts.moas, 0);
  t.end();
});

t.test('private and reserved AS numbers are not origins', (t) => {
  t.same(only(['1 2 64512', '5 2 3']), {
    prefix: '1.0.0.0/24',
    peers: 2,
    origins: ['3 1 not judged'],
    upstreams: ['2 1'],
  });
  const { routes, counts } = summarise({
    '1.0.0.0/24': ['1 2 64512', '5 2 23456'],
    '1.0.1.0/24': ['1 2 0'],
    '1.0.2.0/24': ['1 2 4200000000', '5 {7,8}'],
    '1.0.3.0/24': ['1 2 400000', '5 400000'],
  });
  t.same(
    routes.map(({ prefix }) => prefix),
    ['1.0.3.0/24'],
  );
  t.equal(counts.dropped.reservedOrigin, 3);
  t.equal(counts.withoutOrigin, 0);
  t.end();
});

/** States by `prefix origin`; `prefix *` means that VRPs cover the prefix for other origins. */
function statesOf(roas: readonly string[]): Vrps {
  return {
    count: roas.length,
    stateOf: (address, length, origin): RpkiState => {
      const prefix = formatPrefix(address, length);
      if (origin !== undefined && roas.includes(`${prefix} ${origin}`)) return 'valid';
      return roas.some((roa) => roa.startsWith(`${prefix} `)) ? 'invalid' : 'unknown';
    },
  };
}

t.test('each origin has its own state, the prefix is counted by that of its primary origin', (t) => {
  const vrps = statesOf(['1.0.0.0/24 30', '1.0.1.0/24 7']);
  const { routes, counts } = summarise(
    {
      '1.0.0.0/24': ['1 20', '2 20', '3 30'],
      '1.0.1.0/24': ['1 7'],
      '1.0.2.0/24': ['1 7'],
      '1.0.3.0/24': ['1 {7,8}'],
    },
    { vrps },
  );
  t.same(
    routes.map(({ origins }) => origins),
    [['20 2 invalid', '30 1 valid'], ['7 1 valid'], ['7 1 unknown'], []],
  );
  t.same(counts.rpki, { valid: 1, invalid: 1, unknown: 1 });
  t.end();
});

t.test('a route that ended in a set is never valid, unless another path to the origin did not', (t) => {
  const vrps = statesOf(['1.0.0.0/24 3']);
  t.same(only(['1 2 {3}', '4 3 {3}'], { vrps }).origins, ['3 2 invalid']);
  t.same(only(['1 2 {3}', '4 3'], { vrps }).origins, ['3 2 valid']);
  t.same(only(['1 2 {3}'], { vrps: statesOf([]) }).origins, ['3 1 unknown']);
  t.end();
});

t.test('the parent is the longest covering route, and dropped prefixes are not parents', (t) => {
  const { routes } = summarise({
    '1.0.0.0/8': ['1 2'],
    '1.0.0.0/16': ['1 2 64512'],
    '1.0.0.0/24': ['1 2'],
    '1.0.1.0/24': ['1 2'],
    '1.128.0.0/9': ['1 2'],
    '1.128.0.0/16': ['1 2'],
    '2.0.0.0/8': ['1 2'],
    '2a00::/16': ['1 2'],
    '2a00:ff00::/32': ['1 2'],
    '2a01::/32': ['1 2'],
  });
  t.same(
    routes.map(({ prefix, parent }) => [prefix, parent]),
    [
      ['1.0.0.0/8', undefined],
      ['1.0.0.0/24', '1.0.0.0/8'],
      ['1.0.1.0/24', '1.0.0.0/8'],
      ['1.128.0.0/9', '1.0.0.0/8'],
      ['1.128.0.0/16', '1.128.0.0/9'],
      ['2.0.0.0/8', undefined],
      ['2a00::/16', undefined],
      ['2a00:ff00::/32', '2a00::/16'],
      ['2a01::/32', undefined],
    ],
  );
  t.end();
});

t.test('a RIB without prefixes gives no routes', (t) => {
  const { routes, counts } = summarise({});
  t.same(routes, []);
  t.equal(counts.prefixes, 0);
  t.end();
});

/** Returns a random RIB as text with few ASes and prefixes, so that all cases occur. */
function randomEntries(seed: number): Entries {
  const random = pseudoRandom(seed);
  const oneOf = (texts: readonly string[]): string => texts[random(texts.length)]!;
  const sessions = 3 + random(20);
  const entries: Record<string, string[]> = {};
  for (let i = 0; i < 40; i++) {
    const address = `1.${random(2) * 64}.${random(4)}.0`;
    const text = random(4) === 0 ? `2a00:${random(3)}::/${20 + random(28)}` : `${address}/${8 + random(17)}`;
    const { address: words, length } = parsePrefix(text)!;
    entries[formatPrefix(words, length)] ??= Array.from({ length: 1 + random(2 * sessions) }, () => {
      const session = `${1 + random(sessions)}`;
      const hops = Array.from({ length: random(4) }, () => oneOf(['7', '7', '8', '9', '30', '64512']));
      const end = oneOf(['', '', '', '', ' {7}', ' {7,8}', ' 30 30', ' 23456']);
      return `${session}${oneOf(['', 'b'])}: ${session} ${hops.join(' ')}${end}`.replace(/ +/g, ' ').trim();
    });
  }
  return entries;
}

t.test('property: the routes agree with a naive computation per prefix', (t) => {
  const routeServers = new Set([9]);
  const vrps: Vrps = {
    count: 1,
    stateOf: (address, length, origin) => stateOf(formatPrefix(address, length), origin),
  };
  const stateOf = (prefix: string, origin: number | undefined): RpkiState => {
    const covered = Number(/\d+$/.exec(prefix)![0]) % 3;
    if (covered === 0) return 'unknown';
    return origin === 7 || origin === 30 - covered ? 'valid' : 'invalid';
  };
  const words = (prefix: string): Uint32Array => parseAddress(prefix.split('/')[0]!)!.address;
  for (let seed = 1; seed <= 150; seed++) {
    const entries = randomEntries(seed);
    const rib = smallRib(entries);
    const { routes } = summariseRoutes({ rib, routeServers, vrps, reserved: FlatTable.empty() });
    const expected = naiveRoutes(entries, routeServers, stateOf).sort((a, b) => {
      const [left, right] = [words(a.prefix), words(b.prefix)];
      const word = left.findIndex((value, i) => value !== right[i]);
      return word < 0
        ? parsePrefix(a.prefix)!.length - parsePrefix(b.prefix)!.length
        : left[word]! - right[word]!;
    });
    if (!t.same(routesAsText(routes), expected, `seed ${seed}`)) break;
  }
  t.end();
});
