import t from 'tap';
import { describeProxies } from './describe-proxies.js';

const datasetsOf = (counters: Record<string, number>, files = ['isp.mmdb']) => ({
  datasets: { isp: { key: 'k', files, counters } },
});
const extent = (name: string, networks: number, ipv4Addresses: number) => ({
  [`${name}.networks`]: networks,
  [`${name}.ipv4Addresses`]: ipv4Addresses,
  [`${name}.ipv6Slash64s`]: 7,
});

t.test('summarises proxies and clouds in a few lines, the largest first', (t) => {
  const counters = {
    ...extent('proxies', 12_163, 3_100_000),
    ...extent('types.TOR', 1301, 1301),
    ...extent('types.VPN', 10_862, 3_098_699),
    ...extent('clouds', 20_000, 150_000_000),
    ...extent('providers.Amazon AWS', 7905, 101_800_000),
    ...extent('providers.Linode', 4552, 900_000),
    'lists.open-proxies.dropped.edge': 5540,
    'lists.x4bnet.dropped.edge': 1,
    'lists.x4bnet.dropped.allowed': 12,
  };
  t.same(describeProxies(datasetsOf(counters)), [
    'proxies: 12,163 networks, 3,100,000 IPv4 addresses and 7 IPv6 /64s',
    '  networks by type: VPN 10,862, TOR 1,301',
    'clouds: 20,000 networks, 150,000,000 IPv4 addresses and 7 IPv6 /64s',
    '  IPv4 addresses by cloud: Amazon AWS 101,800,000, Linode 900,000',
    '  networks with dropped listings: edge 5,541, allowed 12',
  ]);
  t.end();
});

t.test('shows the largest of many types, and how many more there are', (t) => {
  const many = Array.from({ length: 15 }, (_, n) => extent(`types.T${n}`, 100 - n, 1));
  const [, types] = describeProxies(datasetsOf(Object.assign({}, ...many) as Record<string, number>));
  t.match(types, /T11 89, and 3 more$/);
  t.end();
});

t.test('a release without an ISP dataset has no summary, one without proxies says none', (t) => {
  t.same(describeProxies({}), []);
  t.same(describeProxies(datasetsOf({}, [])), []);
  t.match(describeProxies(datasetsOf({}))[1], /by type: none$/);
  t.end();
});
