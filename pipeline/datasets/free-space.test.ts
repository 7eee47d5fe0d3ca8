import t from 'tap';
import type { Claim } from '../input/claims/claim.js';
import type { FeedId } from '../feeds/feed-id.js';
import { mergeTables, type FeedTable } from '../merge/merge-tables.js';
import { NO_PLACES } from '../merge/testing/example-places.js';
import { parsePrefix } from '../net/prefix.js';
import { PrefixTable } from '../table/prefix-table.js';
import { countFreeSpace, usesOf, withoutFreeSpace } from './free-space.js';

interface ClaimedTable extends FeedTable {
  readonly claims: readonly Claim[];
}

function feedOf(feed: FeedId, networks: Readonly<Record<string, Claim>>): ClaimedTable {
  const table = new PrefixTable();
  Object.keys(networks).forEach((text, id) => {
    const { address, length } = parsePrefix(text)!;
    table.insert(address, length, id);
  });
  return { feed, table: table.flatten(), claims: Object.values(networks) };
}

function count(...feeds: ClaimedTable[]): Record<string, number> {
  const claims = new Map(feeds.map(({ feed, claims }) => [feed, claims]));
  const [merged] = mergeTables(feeds, [{ places: NO_PLACES, claims }]);
  const { table, locations } = merged!;
  return countFreeSpace(
    feeds.map(({ claims, ...feed }) => ({ ...feed, uses: usesOf(claims) })),
    { table, hasCountry: (id) => locations[id]!.country !== undefined },
  );
}

const FREE: Claim = { basis: 'not-delegated' };

t.test('addresses of free space are counted with and without a country, and dropped claims by feed', (t) => {
  const counters = count(
    feedOf('own', {
      '41.0.0.0/16': FREE,
      '41.1.0.0/16': { country: 'ZA', basis: 'registration' },
      '2c00::/29': FREE,
    }),
    feedOf('geolite2', { '41.0.4.0/22': { country: 'KE' }, '41.1.4.0/22': { country: 'KE' } }),
    feedOf('dbip', { '41.0.0.0/15': { country: 'MU' }, '2c00::/20': { country: 'MU' } }),
    feedOf('qqwry', {
      '41.0.128.0/24': { country: 'ZA' },
      '41.0.129.0/24': { isp: 'a' },
      '41.1.0.0/24': { country: 'ZA' },
    }),
  );
  t.same(counters, {
    'free.withoutCountry.ipv4Addresses': 65_536 - 1024,
    'free.withoutCountry.ipv6Slash64s': 2 ** 35,
    'free.inUse.ipv4Addresses': 1024,
    'free.inUse.ipv6Slash64s': 0,
    'free.droppedNetworks.dbip': 2,
    'free.droppedNetworks.qqwry': 1,
  });
  t.end();
});

t.test('a build in which no registry lists free space has no counters', (t) => {
  t.same(count(feedOf('own', { '41.1.0.0/16': { country: 'ZA', basis: 'registration' } })), {});
  t.end();
});

t.test('verdicts have no networks of which a feed says nothing but that they are free', (t) => {
  const { table, claims } = feedOf('own', {
    '41.0.0.0/16': FREE,
    '41.1.0.0/16': { ...FREE, isp: 'Vodacom' },
    '41.2.0.0/16': { country: 'ZA', basis: 'registration' },
  });
  const seen: number[] = [];
  withoutFreeSpace(table, claims).forEach((_address, _length, id) => seen.push(id));
  t.same(seen, [1, 2]);
  t.equal(withoutFreeSpace(table, [{}, {}, {}]), table);
  t.end();
});
