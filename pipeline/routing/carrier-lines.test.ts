import t from 'tap';
import { isReservedAsn } from '../net/as-number.js';
import { parsePrefix } from '../net/prefix.js';
import { CarrierLines } from './carrier-lines.js';
import { CARRIER_TABLE } from './carrier-table.js';
import { smallRoutes, type SmallRoute } from './testing/small-parts.js';

/** Returns the line of the only route. */
function lineOf(prefix: string, route: SmallRoute, lines = new CarrierLines()): string | undefined {
  return lines.lineOf(smallRoutes({ [prefix]: route }), 0);
}

t.test('the address space has precedence over the origin, the origin over the upstream', (t) => {
  const all = { origins: [4134], upstreams: [9929] };
  t.equal(lineOf('59.43.80.0/24', all), 'CN2', 'overlay');
  t.equal(lineOf('59.44.0.0/24', all), '163', 'origin');
  t.equal(lineOf('59.44.0.0/24', { origins: [64500], upstreams: [9929] }), 'CUII', 'upstream');
  t.equal(lineOf('59.44.0.0/24', { origins: [64500], upstreams: [64501] }), undefined);
  t.end();
});

t.test('only the primary origin and the upstream with the most paths count', (t) => {
  t.equal(lineOf('1.0.0.0/24', { origins: [64500, 4134] }), undefined);
  t.equal(lineOf('1.0.0.0/24', { origins: [64500], upstreams: [174, 4809] }), undefined);
  t.equal(lineOf('1.0.0.0/24', { origins: [64500, 4134], upstreams: [4809, 174] }), 'CN2');
  t.equal(lineOf('1.0.0.0/24', { upstreams: [4837] }), '169', 'a route without a known origin');
  t.equal(lineOf('1.0.0.0/24', {}), undefined);
  t.end();
});

t.test('every route uses its own lists', (t) => {
  const lines = new CarrierLines();
  const routes = smallRoutes({
    '1.0.0.0/24': { origins: [1, 2], upstreams: [4809, 3] },
    '1.0.1.0/24': { origins: [4538] },
    '2400::/32': { origins: [9808, 4134], upstreams: [1] },
    '2401::/32': { origins: [1], upstreams: [] },
  });
  t.same(
    [0, 1, 2, 3].map((route) => lines.lineOf(routes, route)),
    ['CN2', 'CERNET', 'CMNET', undefined],
  );
  t.end();
});

t.test('the longest overlay prefix that covers the whole route wins', (t) => {
  const overlay = [
    { prefix: '10.0.0.0/8', line: 'outer' },
    { prefix: '10.1.0.0/16', line: 'inner' },
    { prefix: '2001:db8::/32', line: 'six' },
  ];
  const lines = new CarrierLines({ networks: [], overlay });
  const cases = {
    '10.1.2.0/24': 'inner',
    '10.1.0.0/16': 'inner',
    '10.0.0.0/15': 'outer',
    '10.0.0.0/8': 'outer',
    '10.0.0.0/7': undefined,
    '11.0.0.0/16': undefined,
    '2001:db8:1::/48': 'six',
    '::a01:200/120': 'inner',
  };
  for (const [prefix, line] of Object.entries(cases)) {
    t.equal(lineOf(prefix, {}, lines), line, prefix);
    const { address, length } = parsePrefix(prefix)!;
    t.equal(lines.lineOfSpace(address, length), line, `${prefix} as space`);
  }
  t.end();
});

t.test('an overlay with an invalid prefix is rejected', (t) => {
  t.throws(
    () => new CarrierLines({ networks: [], overlay: [{ prefix: '59.43/16', line: 'x' }] }),
    /59\.43\/16/,
  );
  t.end();
});

t.test('the table names each AS once, and never a grade of CN2', (t) => {
  const { networks, overlay } = CARRIER_TABLE;
  t.equal(new Set(networks.map(({ asn }) => asn)).size, networks.length);
  t.notOk(networks.some(({ asn }) => isReservedAsn(asn)));
  for (const { line } of [...networks, ...overlay]) t.notMatch(line, /GIA|GT/);
  t.end();
});
