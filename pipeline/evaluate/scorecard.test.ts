import t from 'tap';
import type { Claim } from '../input/claims/claim.js';
import { leastRegionWeightOf } from '../merge/merge-part.js';
import { placesOf } from '../merge/places.js';
import { parsePrefix } from '../net/prefix.js';
import { PrefixTable } from '../table/prefix-table.js';
import type { FlatTable } from '../table/flat-table.js';
import { ClaimLookup, resolvedOnUse } from './claim-lookup.js';
import { scorecardOf } from './scorecard.js';
import { casesOf } from './statements.js';
import { ID, WORLD } from './testing/known-world.js';

function tableOf(networks: readonly string[]): FlatTable {
  const table = new PrefixTable();
  networks.forEach((text, id) => {
    const { address, length } = parsePrefix(text)!;
    table.insert(address, length, id);
  });
  return table.flatten();
}

const NETWORKS = ['1.0.0.0/24', '1.0.1.0/24', '1.0.2.0/24', '1.0.3.0/24', '1.0.4.0/24'];
/** The claims of own: three statements of two operators, a registration, and a network of an operator without place. */
const STATED: readonly Claim[] = [
  { country: 'FR', region: 'FR-ARA', cityName: 'Lyon', basis: 'geofeed', statedBy: 'own/geofeeds/one.csv' },
  { country: 'JP', region: 'JP-13', cityName: 'Tokyo', basis: 'geofeed', statedBy: 'own/geofeeds/one.csv' },
  { country: 'SG', latitude: 1.3, longitude: 103.8, basis: 'cloud', statedBy: 'cloud/two.json' },
  { country: 'FR', basis: 'registration' },
  { registeredCountry: 'FR', basis: 'geofeed' },
];
const lookup = new ClaimLookup(
  resolvedOnUse(
    [
      {
        feed: 'own',
        table: tableOf(['1.0.0.0/22']),
        claims: [{ country: 'FR', basis: 'registration', registeredCountry: 'FR' }],
      },
      {
        feed: 'geolite2',
        table: tableOf(NETWORKS),
        claims: [
          { country: 'FR', region: 'FR-ARA', cityId: ID.villeurbanne },
          { country: 'FR', region: 'FR-ARA', cityId: ID.lyon },
          { country: 'SG', latitude: 1.3, longitude: 103.8 },
        ],
      },
    ],
    placesOf(WORLD),
  ),
);
const cases = casesOf({ table: tableOf(NETWORKS), claims: STATED }, lookup, WORLD);

t.test('a case is a network with a statement, and the claims without it', (t) => {
  t.match(
    cases.map(({ operator, place, claims }) => [operator, place, claims.length]),
    [
      ['one', { country: 'FR', region: 'FR-ARA', cityId: ID.lyon, cityName: 'lyon' }, 2],
      ['one', { country: 'JP', region: 'JP-13', cityId: ID.tokyo }, 2],
      ['two', { country: 'SG', region: undefined, point: { latitude: 1.3, longitude: 103.8 } }, 2],
    ],
  );
  t.equal(cases.length, 3);
  t.ok(cases.every(({ claims }) => claims.every(({ weight }) => weight.rule === 'vote')));
  t.end();
});

t.test('the scorecard compares the answers without statements with the statements', (t) => {
  const card = scorecardOf(cases, WORLD)!;
  t.match(card, { networks: 3, operators: 2 });
  t.match(card.all, { country: 2 / 3, region: 1 / 2, cityId: 0, within50Km: 2 / 3, answered: 1 });
  t.match(card.mean, { country: 3 / 4, region: 1 / 2, within50Km: 3 / 4 });
  t.notOk('medianKm' in card.mean);
  t.same(
    card.reliability.map(({ level, rows }) => [level, rows.reduce((sum, { networks }) => sum + networks, 0)]),
    [
      ['country', 3],
      ['region', 2],
      ['city', 2],
    ],
  );
  t.equal(scorecardOf([], WORLD), undefined);
  t.end();
});

t.test('a region needs the support that the files of the build ask for', (t) => {
  const own: Claim = { country: 'US', region: 'US-CA', basis: 'geofeed', statedBy: 'own/geofeeds/three.csv' };
  const network = tableOf(['1.0.0.0/24']);
  const ip2region = {
    feed: 'ip2region',
    table: network,
    claims: [{ country: 'US', region: 'US-CA' }],
  } as const;
  const alone = casesOf(
    { table: network, claims: [own] },
    new ClaimLookup(resolvedOnUse([ip2region], placesOf(WORLD))),
    WORLD,
  );
  t.equal(scorecardOf(alone, WORLD)!.all.region, 0);
  t.equal(scorecardOf(alone, WORLD, leastRegionWeightOf(new Set(['ip2region'])))!.all.region, 1);
  t.end();
});
