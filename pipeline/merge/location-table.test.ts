import t from 'tap';
import type { Location } from './location.js';
import { present } from '../mmdb/present.js';
import { LocationReader, LocationTable } from './location-table.js';

const LYON: Location = {
  country: 'FR',
  region: 'FR-ARA',
  regionName: 'Rhône',
  cityId: 7,
  cityName: 'Lyon',
  latitude: 45.75,
  longitude: 4.85,
  radiusKm: 50,
  timeZone: 'Europe/Paris',
  registeredCountry: 'FR',
  decidedBy: 'dbip',
  rule: 'vote',
  countryConfidence: 100,
  regionConfidence: 100,
  cityConfidence: 100,
  countryFeeds: 0b1000_0001,
  regionFeeds: 0b1000_0001,
  cityFeeds: 0b1000_0001,
};

/** Locations that differ from Lyon, and each other, in one field. */
const OTHERS: readonly Location[] = [
  { country: 'CH' },
  { region: 'FR-PAC' },
  { regionName: 'Lyon' },
  { cityId: 8 },
  { cityName: 'Rhône' },
  { latitude: 4.85 },
  { longitude: 45.75 },
  { longitude: -4.85 },
  { radiusKm: 51 },
  { timeZone: 'Europe/Zurich' },
  { registeredCountry: 'CH' },
  { decidedBy: 'ipinfo' as const },
  { rule: 'geofeed' as const },
  { countryConfidence: 90 },
  { regionConfidence: 90 },
  { cityConfidence: 90 },
  { isAnycast: true as const },
  { countryFeeds: 1 },
  { regionFeeds: 1 },
  { cityFeeds: 1 },
].map((other) => ({ ...LYON, ...other }));

t.test('locations that differ in any field, or lack one, have different ids', (t) => {
  const lacking = Object.keys(LYON).map((field) => ({ ...LYON, [field]: undefined }));
  const all: readonly Location[] = [LYON, ...OTHERS, ...lacking, {}];
  const table = new LocationTable();
  const ids = all.map((location) => table.intern(location));
  t.same(
    ids,
    all.map((_, i) => i),
  );
  t.strictSame(locationsIn(table), all.map(present));
  t.end();
});

t.test('sets of feeds differ also if the sets of coarser levels are absent', (t) => {
  const table = new LocationTable();
  const ids = [1, 2, 3].flatMap((feeds) => [
    table.intern({ country: 'HK', countryFeeds: feeds }),
    table.intern({ country: 'HK', regionFeeds: feeds }),
    table.intern({ country: 'HK', cityFeeds: feeds }),
  ]);
  t.equal(new Set(ids).size, 9);
  t.end();
});

t.test('equal locations have one id', (t) => {
  const table = new LocationTable();
  const id = table.intern(LYON);
  t.not(table.intern({ country: 'FR' }), id);
  t.equal(table.intern({ ...LYON }), id);
  t.equal(table.length, 2);
  t.end();
});

t.test('the evidence is not kept, and no difference', (t) => {
  const table = new LocationTable();
  const evidence = { country: { share: 100, voices: 2, detail: 'city', radiusKm: 20 } } as const;
  const id = table.intern({ ...LYON, evidence });
  t.equal(table.intern(LYON), id);
  t.strictSame(locationsIn(table), [present(LYON)]);
  t.end();
});

t.test(
  'locations of other tables are interned by content, whatever the order in which each table has them',
  (t) => {
    const all: readonly Location[] = [LYON, ...OTHERS];
    const [one, other] = [all, [...all].reverse()].map((locations) => {
      const table = new LocationTable();
      for (const location of locations) table.intern(location);
      return table;
    });
    const joined = new LocationTable();
    const ids = joined.internAll(one!.columns());
    t.same([...joined.internAll(other!.columns())], [...ids].reverse());
    t.strictSame(locationsIn(joined), all.map(present));
    t.equal(joined.intern({ ...LYON }), ids[0], 'a location that is added later is found');
    t.end();
  },
);

t.test('an id of a city above 2^31 is kept', (t) => {
  const table = new LocationTable();
  const location = { cityId: 0xffff_fff0 };
  table.intern(location);
  t.strictSame(locationsIn(table), [location]);
  t.end();
});

function locationsIn(table: LocationTable): object[] {
  const reader = new LocationReader(table.columns());
  return Array.from({ length: reader.length }, (_, id) => present({ ...reader.at(id) }));
}
