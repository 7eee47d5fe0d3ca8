import t from 'tap';
import { networkDirectory } from './network-directory.js';
import { smallParts, smallRoutes, type SmallLink } from './testing/small-parts.js';

t.test('the identity of an AS is from registry and AS names, the registry first', (t) => {
  const directory = networkDirectory(
    smallParts({
      delegations: [
        { asn: 1, registry: 'apnic', status: 'allocated', country: 'CN' },
        { asn: 2, registry: 'ripe', status: 'assigned' },
      ],
      names: {
        1: { name: 'ONE', entity: 'One, Ltd', country: 'HK' },
        2: { name: 'TWO', country: 'DE' },
        3: { name: 'THREE' },
      },
    }),
  );
  t.strictSame(directory.identityOf(1), {
    name: 'ONE',
    entity: 'One, Ltd',
    country: 'CN',
    registry: 'apnic',
  });
  t.strictSame(directory.identityOf(2), { name: 'TWO', country: 'DE', registry: 'ripe' });
  t.strictSame(directory.identityOf(3), { name: 'THREE' });
  t.strictSame(directory.identityOf(4), {});
  t.equal(directory.identityOf(1), directory.identityOf(1), 'the same object');
  t.end();
});

t.test('without registries and AS names identities are empty', (t) => {
  const directory = networkDirectory(smallParts({ links: [[1, '>', 2, 4]] }));
  t.strictSame(directory.identityOf(1), {});
  t.strictSame(directory.neighboursOf(1), [{ asn: 2 }]);
  t.end();
});

t.test('neighbours of all kinds are sorted by power, then by AS number', (t) => {
  const directory = networkDirectory(
    smallParts({
      links: [
        [10, '>', 50, 8],
        [50, '>', 7, 30],
        [50, '-', 4_000_000_000, 8],
        [50, '-', 60, 8],
        [10, '>', 60, 100],
      ],
      names: { 7: { name: 'SEVEN' } },
    }),
  );
  t.strictSame(directory.neighboursOf(50), [
    { asn: 7, name: 'SEVEN' },
    { asn: 10 },
    { asn: 60 },
    { asn: 4_000_000_000 },
  ]);
  t.strictSame(directory.neighboursOf(7), [{ asn: 50 }]);
  t.strictSame(directory.neighboursOf(99), []);
  t.equal(directory.neighboursOf(50), directory.neighboursOf(50), 'the same list');
  t.equal(directory.neighboursOf(50)[1], directory.neighboursOf(60)[0], 'the same object in two lists');
  t.end();
});

t.test('neighbours are at most 20, the most powerful ones', (t) => {
  const links = Array.from({ length: 25 }, (_, i): SmallLink => [1, '>', 100 + i, 2 + 2 * i]);
  const found = networkDirectory(smallParts({ links })).neighboursOf(1);
  t.same(
    found.map(({ asn }) => asn),
    Array.from({ length: 20 }, (_, i) => 124 - i),
  );
  t.end();
});

t.test('the directory returns carrier lines', (t) => {
  const routes = smallRoutes({ '1.0.0.0/24': { origins: [4809] } });
  t.equal(networkDirectory(smallParts({})).lineOf(routes, 0), 'CN2');
  t.end();
});
