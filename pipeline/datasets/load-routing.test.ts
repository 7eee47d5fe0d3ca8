import t from 'tap';
import { saveRib } from '../bgp/rib.js';
import { smallRib } from '../routing/testing/small-rib.js';
import { loadRouting } from './load-routing.js';

t.test('with only a RIB every prefix becomes a route or is dropped with a reason', (t) => {
  const dir = t.testdir();
  const rib = smallRib({
    '1.0.0.0/24': ['1 2 3', '4 2 3'],
    '1.0.1.0/25': ['1 2 3'],
    '0.0.0.0/0': ['1'],
    '2a00::/32': ['1 64512'],
  });
  saveRib(dir, rib);
  const { parts, counters } = loadRouting(new Map([['rib', dir]]), () => undefined);
  t.equal(parts.routes.count, 1);
  t.equal(parts.links.left.length, 3);
  const dropped = Object.entries(counters).filter(([name]) => name.startsWith('routes.dropped.'));
  t.equal(counters['rib.prefixes'], 4);
  t.equal(
    dropped.reduce((sum, [, count]) => sum + count, counters['routes.prefixes']!),
    4,
  );
  t.end();
});

t.test('known route servers are never upstreams and have no links, also without PeeringDB', (t) => {
  const dir = t.testdir();
  saveRib(dir, smallRib({ '1.0.0.0/24': ['1 4635 3', '2 4635 3'] }));
  const { parts } = loadRouting(new Map([['rib', dir]]), () => undefined);
  t.same([...parts.routes.upstreamAsns], [1, 2]);
  t.same([...parts.links.left, ...parts.links.right].sort(), [1, 2, 3, 3]);
  t.end();
});
