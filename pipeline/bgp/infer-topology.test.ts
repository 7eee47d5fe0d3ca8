import t from 'tap';
import { inferTopology } from './infer-topology.js';
import { PATH_HAS_SET } from './path-table.js';
import { printLinks } from './testing/inference.js';
import { smallInternet } from './testing/small-internet.js';
import { smallRib, type SmallRoute } from './testing/small-rib.js';

const NONE = { routeServers: new Set<number>() };

const routesOf = (family: 4 | 6, paths: readonly string[]): SmallRoute[] =>
  paths.map((path) => ({ family, path, prefix: Number(path.split(' ').at(-1)) }));

const infer = (routes: readonly SmallRoute[], options = NONE) => inferTopology(smallRib(routes), options);

/** Returns the link of one pair in a topology. */
function linkOf({ links }: ReturnType<typeof infer>, a: number, b: number) {
  const i = links.left.findIndex((left, i) => [left, links.right[i]].sort().join() === [a, b].sort().join());
  return Object.fromEntries(Object.entries(links).map(([name, column]) => [name, column[i]]));
}

t.test('by family, AS-Rank is used with ten full feeds, Gao with fewer', (t) => {
  const internet = smallInternet(10);
  const views = (count: number) => {
    const firsts = [...new Set(internet.paths.map((path) => path.split(' ')[0]))].slice(0, count);
    return internet.paths.filter((path) => firsts.includes(path.split(' ')[0]));
  };
  const { ipv4, ipv6, links } = infer([...routesOf(4, internet.paths), ...routesOf(6, views(9))]);
  t.match(ipv4, { method: 'as-rank', fullFeedVantagePoints: 10 });
  t.same([...ipv4.clique].sort(), internet.clique);
  t.match(ipv6, { method: 'gao', fullFeedVantagePoints: 9, clique: [] });
  t.equal(ipv4.links, links.left.length);
  t.ok(ipv6.links <= ipv4.links);
  t.end();
});

t.test('a view with fewer than four fifths of the prefixes is not a full feed', (t) => {
  const internet = smallInternet(10);
  const [first = ''] = internet.paths[0]!.split(' ');
  const partial = internet.paths.filter((path, i) => !path.startsWith(`${first} `) || i < 30);
  t.match(infer(routesOf(4, partial)).ipv4, { method: 'gao', fullFeedVantagePoints: 9 });
  t.end();
});

t.test('links are sorted, with the provider on the left and peers in order', (t) => {
  const internet = smallInternet(12);
  const { links } = infer(routesOf(4, internet.paths));
  const printed = printLinks(links);
  t.ok(printed.length > 150);
  t.same(
    printed.filter((link) => link.includes('>') && !internet.links.has(link)),
    [],
  );
  const order = Array.from(links.left, (left, i) => [left, links.right[i]!] as const);
  t.same(
    order,
    order.toSorted((a, b) => a[0] - b[0] || a[1] - b[1]),
  );
  t.equal(new Set(printed).size, printed.length);
  t.end();
});

t.test('power counts distinct paths without prepends, a path of both families once', (t) => {
  const topology = infer([
    { family: 4, prefix: 1, path: '1 2 3' },
    { family: 4, prefix: 2, path: '1 2 3 3 3' },
    { family: 6, prefix: 1, path: '1 2 3' },
    { family: 6, prefix: 2, path: '4 2 3' },
  ]);
  t.match(linkOf(topology, 2, 3), { power: 2, power4: 1, power6: 2, vantagePoints: 2, uncertain: 0 });
  t.match(linkOf(topology, 1, 2), { power: 1, power4: 1, power6: 1, vantagePoints: 1, uncertain: 1 });
  t.match(linkOf(topology, 2, 4), { power: 1, power4: 0, power6: 1, kinds4: 0, uncertain: 1 });
  t.match(topology.counts, { paths: 3, prepended: 1 });
  t.end();
});

t.test('a link is uncertain if it occurs only between a vantage point and its next hop', (t) => {
  const near = { family: 4, prefix: 1, path: '1 2 3' } as const;
  t.equal(linkOf(infer([near]), 1, 2)['uncertain'], 1);
  t.equal(linkOf(infer([near, { family: 4, prefix: 2, path: '9 1 2' }]), 1, 2)['uncertain'], 0);
  t.end();
});

t.test('if families disagree, the one with more paths decides and both are kept', (t) => {
  const up = ['1 2 3 100', '5 1 2 3 100', '100 61', '100 62', '100 63', '100 64'];
  const down = ['200 4 1 2', '200 71', '200 72', '200 73', '200 74'];
  const more4 = infer([...routesOf(4, up), ...routesOf(6, down)]);
  t.match(linkOf(more4, 1, 2), { left: 2, right: 1, kinds: 1, kinds4: 1, kinds6: 3 });
  t.ok(printLinks(more4.links, more4.links.kinds6).includes('1>2'));
  const more6 = infer([...routesOf(6, up), ...routesOf(4, down)]);
  t.match(linkOf(more6, 1, 2), { left: 2, right: 1, kinds: 1, kinds4: 3, kinds6: 1 });
  const even = infer([...routesOf(6, up.slice(1)), ...routesOf(4, down)]);
  t.match(
    linkOf(even, 1, 2),
    { left: 1, right: 2, kinds: 1, kinds4: 1, kinds6: 3 },
    'IPv4 when they are even',
  );
  t.end();
});

t.test('the given route servers are removed, others are kept', (t) => {
  const routes = routesOf(4, ['1 6695 2', '3 777 4']);
  const topology = infer(routes, { routeServers: new Set([777, 6695]) });
  t.same(printLinks(topology.links), ['1=2', '3=4']);
  t.equal(topology.counts.routeServers, 2);
  t.same(printLinks(infer(routes).links).length, 4);
  t.end();
});

t.test('every raw path is used or counted as dropped with a reason', (t) => {
  const internet = smallInternet(12);
  const bad: SmallRoute[] = [
    { family: 4, prefix: 1, path: '1000 100 7', flags: PATH_HAS_SET },
    ...routesOf(4, ['1000 100 1 100', '1000 100 64512', '1000', '1000 1 999 2 1001', '1000 1 1 999 2 1001']),
  ];
  const { counts, links } = infer([...routesOf(4, internet.paths), ...bad]);
  t.same(counts.dropped, { sets: 1, confederations: 0, loops: 1, reserved: 1, short: 1, poisoned: 2 });
  t.equal(counts.paths, internet.paths.length + bad.length);
  t.equal(counts.prepended, 1);
  t.notOk(links.left.includes(999) || links.right.includes(999));
  t.end();
});

t.test('the links do not depend on the order and repetition of paths', (t) => {
  const internet = smallInternet(12);
  const routes = [...routesOf(4, internet.paths), ...routesOf(6, internet.paths.slice(0, 900))];
  const { links, ...reports } = infer(routes);
  const turned = infer(routes.toReversed());
  t.same(turned.links, links);
  t.same(turned.ipv4, reports.ipv4);
  const copies = routes.map((route) => ({ ...route, path: `${route.path} ${route.path.split(' ').at(-1)}` }));
  const copied = infer([...routes, ...copies]);
  t.same(copied.links, links);
  t.equal(copied.counts.paths, reports.counts.paths * 2);
  t.end();
});

t.test('a RIB without routes has no links', (t) => {
  const { links, counts, ipv4 } = infer([]);
  t.equal(links.left.length, 0);
  t.equal(counts.paths, 0);
  t.match(ipv4, { method: 'gao', fullFeedVantagePoints: 0, links: 0 });
  t.end();
});
