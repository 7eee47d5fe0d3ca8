import t from 'tap';
import type { Claim } from '../input/claims/claim.js';
import type { FeedId } from '../feeds/feed-id.js';
import { present } from '../mmdb/present.js';
import { formatPrefix, parsePrefix } from '../net/prefix.js';
import { parseAddress } from '../net/address.js';
import type { FlatTable } from '../table/flat-table.js';
import { PrefixTable } from '../table/prefix-table.js';
import { mergeLocation, type Claims, type Location } from './location.js';
import { mergeTables, type Edition, type MergedTable } from './merge-tables.js';
import { CITIES, EXAMPLE_PLACES, NO_PLACES } from './testing/example-places.js';
import { shareOf } from './testing/expected-share.js';

function tableOf(networks: Readonly<Record<string, number>>): FlatTable {
  const table = new PrefixTable();
  for (const [text, id] of Object.entries(networks)) {
    const prefix = parsePrefix(text)!;
    table.insert(prefix.address, prefix.length, id);
  }
  return table.flatten();
}

function editionOf(claims: Partial<Record<FeedId, readonly Claim[]>>, places = EXAMPLE_PLACES): Edition {
  return { places, claims: new Map(Object.entries(claims) as [FeedId, readonly Claim[]][]) };
}

function at(merged: MergedTable, text: string): Location | undefined {
  const match = merged.table.lookup(parseAddress(text)!.address);
  return match && merged.locations[match.recordId];
}

const LYON = { country: 'FR', cityId: CITIES.lyon.id };
const COLOGNE = { country: 'DE', cityId: CITIES.cologne.id };

const TABLES = [
  { feed: 'geolite2', table: tableOf({ '1.0.0.0/16': 0, '1.1.0.0/16': 1, '2400::/32': 2 }) },
  { feed: 'dbip', table: tableOf({ '1.0.0.0/17': 0, '1.1.0.0/16': 1, '2.0.0.0/8': 0 }) },
  { feed: 'ip2location', table: tableOf({ '1.0.0.0/15': 0 }) },
] as const;
const CLAIMS = {
  geolite2: [{ country: 'FR' }, COLOGNE, { isp: 'no place' }],
  dbip: [LYON, { country: 'US', isp: 'a' }],
  ip2location: [{ country: 'DE' }],
} as const;

t.test('ip2region alone decides regions of the US in an edition without GeoLite2', (t) => {
  const table = tableOf({ '1.0.0.0/16': 0, '1.1.0.0/16': 1 });
  const tables = [
    { feed: 'geolite2', table: tableOf({ '2.0.0.0/16': 0 }) },
    { feed: 'ip2region', table },
  ] as const;
  const ip2region = [
    { country: 'US', region: 'US-CA', cityName: 'Anaheim' },
    { country: 'FR', region: 'FR-ARA' },
  ];
  const editions = [editionOf({ geolite2: [COLOGNE], ip2region }), editionOf({ ip2region })];
  const [served, download] = mergeTables(tables, editions);
  t.match(at(download!, '1.0.0.1'), { country: 'US', region: 'US-CA', cityName: undefined });
  t.match(at(download!, '1.1.0.1'), { country: 'FR', region: undefined });
  t.match(at(served!, '1.0.0.1'), { country: 'US', region: undefined });
  t.end();
});

t.test('every network gets the decision of its feeds', (t) => {
  const [merged] = mergeTables(TABLES, [editionOf(CLAIMS)]);
  const { geolite2, dbip, ip2location } = CLAIMS;
  const [three, two] = [
    { geolite2: geolite2[0], dbip: dbip[0], ip2location: ip2location[0] },
    { geolite2: geolite2[0], ip2location: ip2location[0] },
  ];
  const all = { geolite2: geolite2[1], dbip: dbip[1], ip2location: ip2location[0] };
  const cases: readonly [string, Claims, string, Location][] = [
    ['1.0.0.1', three, 'geolite2 dbip', { country: 'FR', cityId: CITIES.lyon.id }],
    ['1.0.128.1', two, 'geolite2', { country: 'FR', decidedBy: 'geolite2' }],
    ['1.1.0.1', all, 'geolite2 ip2location', { country: 'DE' }],
  ];
  for (const [address, claims, agreeing, expected] of cases) {
    const decision = mergeLocation(claims, EXAMPLE_PLACES)!;
    t.equal(decision.evidence?.country.share, shareOf('country', claims, agreeing), address);
    t.match(decision, expected, address);
    t.same(present({ ...at(merged!, address) }), present({ ...decision, evidence: undefined }), address);
  }
  t.match(at(merged!, '2.0.0.1'), { country: 'FR', decidedBy: 'dbip' });
  t.equal(at(merged!, '2400::1'), undefined, 'no claim names a place');
  t.equal(at(merged!, '3.0.0.1'), undefined);
  t.end();
});

t.test('the order of the tables does not matter', (t) => {
  const merged = mergeTables(TABLES, [editionOf(CLAIMS)])[0]!;
  const reversed = mergeTables([...TABLES].reverse(), [editionOf(CLAIMS)])[0]!;
  t.same(reversed.locations, merged.locations);
  t.same(reversed.table.slots, merged.table.slots);
  t.end();
});

t.test('a feed outside an edition has no influence on it', (t) => {
  const { dbip, ip2location } = CLAIMS;
  const open = editionOf({ dbip, ip2location });
  const [served, downloadable] = mergeTables(TABLES, [editionOf(CLAIMS), open]);
  const alone = mergeTables(
    TABLES.filter(({ feed }) => feed !== 'geolite2'),
    [open],
  )[0]!;
  t.same(served, mergeTables(TABLES, [editionOf(CLAIMS)])[0], 'and editions do not influence each other');
  t.same(downloadable!.locations, alone.locations);
  t.same(downloadable!.table.slots, alone.table.slots);
  t.match(at(downloadable!, '1.0.128.1'), { country: 'DE', decidedBy: 'ip2location' });
  t.match(at(served!, '1.0.128.1'), { country: 'FR' });
  t.end();
});

t.test('a network is absent from an edition in which nothing is decided about it', (t) => {
  const [none, some] = mergeTables(TABLES, [editionOf({}), editionOf({ ip2location: CLAIMS.ip2location })]);
  t.equal(none!.table.networkCount(), 0);
  t.same(none!.locations, []);
  t.equal(some!.table.networkCount(), 1, 'equal neighbours are joined');
  t.end();
});

t.test('each edition uses its own gazetteer', (t) => {
  const [known, unknown] = mergeTables(TABLES, [editionOf(CLAIMS), editionOf(CLAIMS, NO_PLACES)]);
  t.match(at(known!, '2.0.0.1'), { region: 'FR-ARA', timeZone: 'Europe/Paris' });
  t.notMatch(at(unknown!, '2.0.0.1'), { region: /./ });
  t.end();
});

t.test('claims that differ only in other fields are decided once', (t) => {
  const feed = 'ipinfo';
  const table = tableOf({ '1.0.0.0/24': 0, '1.0.2.0/24': 1, '1.0.4.0/24': 2, '1.0.6.0/24': 3 });
  const asns: Claim[] = [1, 2, 3].map((asn) => ({ country: 'FR', asn, asName: `AS ${asn}` }));
  const [merged] = mergeTables([{ feed, table }], [editionOf({ ipinfo: [...asns, { country: 'DE' }] })]);
  t.equal(merged!.decisions, 2);
  t.equal(merged!.locations.length, 2);
  t.equal(merged!.table.networkCount(), 4);
  t.end();
});

t.test('without tables every edition is empty', (t) => {
  const merged = mergeTables([], [editionOf({}), editionOf({})]);
  t.same(
    merged.map(({ table }) => table.networkCount()),
    [0, 0],
  );
  t.end();
});

t.test('tables that are merged in parts give the same networks with the same locations', (t) => {
  const { dbip, ip2location } = CLAIMS;
  const editions = [editionOf(CLAIMS), editionOf({ dbip, ip2location }, NO_PLACES)];
  const whole = mergeTables(TABLES, editions);
  for (const parts of [2, 3, 8]) {
    for (const [i, merged] of mergeTables(TABLES, editions, parts).entries()) {
      t.strictSame(networksOf(merged), networksOf(whole[i]!), `${parts} parts`);
      t.equal(merged.table.nodeCount, whole[i]!.table.nodeCount);
    }
  }
  t.end();
});

function networksOf({ table, locations }: MergedTable): [string, Location][] {
  const networks: [string, Location][] = [];
  table.forEach((address, length, id) => networks.push([formatPrefix(address, length, 6), locations[id]!]));
  return networks;
}
