import t from 'tap';
import { countersIn } from '../release/routing-counters.js';
import { describeRouting } from './describe-routing.js';

const COUNTED = {
  ...countersIn({ collectors: 2, peers: 12, vantagePoints: 9, entries: 12345, paths: 678 }, 'rib'),
  ...countersIn(
    {
      ipv4: 1000,
      ipv6: 200,
      originAses: 77,
      moas: 5,
      withoutOrigin: 0,
      rpki: { valid: 600, invalid: 60, unknown: 540 },
      dropped: { visibility: 7, reservedOrigin: 0, tooLong: 30 },
    },
    'routes',
  ),
  ...countersIn({ provider: 60, peer: 40, uncertain: 3 }, 'links'),
  ...countersIn({ dropped: { sets: 1, loops: 20 } }, 'paths'),
  'topology.ipv4.as-rank': 90,
  'topology.ipv6.gao': 30,
  'topology.fullFeeds': 9,
};
const datasetsOf = (counters: Record<string, number>, files = ['routes.mmdb']) => ({
  datasets: { routing: { key: 'k', files, counters } },
});

t.test('summarises a routing table in a few lines', (t) => {
  t.same(describeRouting(datasetsOf({ ...COUNTED, vrps: 5000 })), [
    'routing table: 2 collectors, 12 peers in 9 ASes, 12,345 entries with 678 paths',
    '  prefixes: 1,000 IPv4 and 200 IPv6 from 77 ASes; 5 with several origins, 0 without a known origin',
    '  links: 60 provider to customer, 40 peer to peer, 3 uncertain; ipv4 by as-rank, ipv6 by gao',
    '  RPKI: valid 50.0 %, invalid 5.0 %, unknown 45.0 % by 5,000 VRPs',
    '  prefixes dropped: too long 30, visibility 7',
    '  paths not used for links: loops 20, sets 1',
  ]);
  t.end();
});

t.test('counts the addresses of each source of ASes', (t) => {
  const counters = { 'asn.routes.ipv4Addresses': 12345, 'asn.ipinfo.ipv4Addresses': 67 };
  const line = 'ASes of IPv4 addresses: routes 12,345, ipinfo 67';
  t.equal(describeRouting(datasetsOf({ ...COUNTED, ...counters })).at(-1), line);
  t.same(describeRouting(datasetsOf(counters, ['asn.mmdb'])), [line], 'without a routing table');
  t.end();
});

t.test('names missing sources', (t) => {
  t.match(describeRouting(datasetsOf(COUNTED))[3], 'no VRPs');
  t.same(describeRouting(datasetsOf({}, [])), [], 'a build without a routing table');
  t.same(describeRouting({}), [], 'an old release without counters');
  const small = describeRouting(datasetsOf({ ...COUNTED, 'rib.collectors': 1, 'topology.ipv6.gao': 0 }));
  t.match(small[0], /^routing table: 1 collector, /);
  t.match(small[2], /; ipv4 by as-rank$/);
  t.end();
});
