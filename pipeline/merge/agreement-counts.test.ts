import t from 'tap';
import type { FeedId } from '../feeds/feed-id.js';
import type { Claim } from '../input/claims/claim.js';
import { parsePrefix } from '../net/prefix.js';
import { PrefixTable } from '../table/prefix-table.js';
import type { FlatTable } from '../table/flat-table.js';
import { mergeTables } from './merge-tables.js';
import { CITIES, EXAMPLE_PLACES } from './testing/example-places.js';

function tableOf(networks: Readonly<Record<string, number>>): FlatTable {
  const table = new PrefixTable();
  for (const [text, id] of Object.entries(networks)) {
    const { address, length } = parsePrefix(text)!;
    table.insert(address, length, id);
  }
  return table.flatten();
}

const LYON = { country: 'FR', cityId: CITIES.lyon.id };
const COLOGNE = { country: 'DE', cityId: CITIES.cologne.id };
const NEAR_LYON = {
  country: 'FR',
  cityName: 'Bron',
  latitude: CITIES.lyon.latitude + 0.1,
  longitude: CITIES.lyon.longitude,
};

const TABLES = [
  { feed: 'geolite2', table: tableOf({ '1.0.0.0/16': 0, '1.1.0.0/16': 1, '1.2.0.0/16': 2, '2400::/32': 0 }) },
  { feed: 'dbip', table: tableOf({ '1.0.0.0/17': 0, '1.1.0.0/16': 1, '9.0.0.0/24': 0, '2400::/32': 1 }) },
  { feed: 'ip2location', table: tableOf({ '1.0.0.0/24': 0, '1.1.0.0/32': 1 }) },
] as const;
const CLAIMS: Partial<Record<FeedId, readonly Claim[]>> = {
  geolite2: [LYON, COLOGNE, { country: 'FR', region: 'FR-ARA' }],
  dbip: [NEAR_LYON, LYON],
  ip2location: [{ country: 'FR' }, { country: 'DE' }],
};
const EDITION = {
  places: EXAMPLE_PLACES,
  claims: new Map(Object.entries(CLAIMS) as [FeedId, readonly Claim[]][]),
};

t.test('IPv4 addresses are counted by decided country and level, and by pair of feeds', (t) => {
  const [merged] = mergeTables(TABLES, [EDITION]);
  const half = 2 ** 15;
  const whole = 2 ** 16;
  t.same(merged!.agreement, {
    'agreement.countries.FR.city': whole + 256,
    'agreement.countries.FR.region': whole,
    'agreement.countries.FR.compared': half,
    'agreement.countries.DE.city': whole,
    'agreement.countries.DE.compared': whole,
    'agreement.countries.DE.disagreed': whole,
    'agreement.pairs.geolite2.dbip.countries': half + whole,
    'agreement.pairs.geolite2.dbip.otherCountry': whole,
    'agreement.pairs.geolite2.dbip.cities': half + whole,
    'agreement.pairs.geolite2.dbip.farCity': whole,
    'agreement.pairs.geolite2.ip2location.countries': 257,
    'agreement.pairs.dbip.ip2location.countries': 257,
    'agreement.pairs.dbip.ip2location.otherCountry': 1,
  });
  t.end();
});

t.test('the counts do not depend on the number of parts', (t) => {
  const [whole] = mergeTables(TABLES, [EDITION]);
  for (const parts of [2, 3, 8]) {
    t.same(mergeTables(TABLES, [EDITION], parts)[0]!.agreement, whole!.agreement, `${parts} parts`);
  }
  t.end();
});

t.test('a network that contains all IPv4 space counts as 2^32 addresses, one of IPv6 as none', (t) => {
  const agreementOf = (network: string) => {
    const tables = [{ feed: 'dbip' as const, table: tableOf({ [network]: 1 }) }];
    return mergeTables(tables, [EDITION])[0]!.agreement;
  };
  t.same(agreementOf('0.0.0.0/0'), { 'agreement.countries.FR.city': 2 ** 32 });
  t.same(agreementOf('::/0'), { 'agreement.countries.FR.city': 2 ** 32 });
  t.same(agreementOf('::/32'), { 'agreement.countries.FR.city': 2 ** 32 });
  t.same(agreementOf('8000::/1'), {});
  t.same(agreementOf('0:0:0:0:0:1::/96'), {});
  t.end();
});
