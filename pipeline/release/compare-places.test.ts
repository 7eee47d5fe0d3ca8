import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import t, { type Test } from 'tap';
import { comparePlaces, unchangedPlaces } from './compare-places.js';
import { totalOfChanges } from './place-changes.js';
import { writePlaces, type PlaceRows } from './testing/place-files.js';

function fileOf(t: Test, rows: PlaceRows): string {
  const path = join(mkdtempSync(join(tmpdir(), 'ipatlas-places-')), 'geo.mmdb');
  t.teardown(() => {
    rmSync(dirname(path), { recursive: true });
  });
  writePlaces(path, rows);
  return path;
}

const LYON = {
  country: { iso_code: 'FR', confidence: 90 },
  subdivisions: [{ iso_code: 'ARA' }],
  city: { geoname_id: 2_996_944, names: { en: 'Lyon' } },
};

t.test('addresses with another country, region or city are counted by their country now', async (t) => {
  const before = fileOf(t, [
    ['10.0.0.0/24', LYON],
    ['10.0.1.0/24', LYON],
    ['10.0.2.0/24', LYON],
    ['10.0.3.0/24', { country: { iso_code: 'DE' } }],
    ['10.0.4.0/24', LYON],
    ['10.0.5.0/24', {}],
  ]);
  const after = fileOf(t, [
    ['10.0.0.0/24', LYON],
    ['10.0.1.0/24', { ...LYON, city: { geoname_id: 2_988_507, names: { en: 'Lyon' } } }],
    ['10.0.2.0/24', { ...LYON, subdivisions: [{ iso_code: 'IDF' }] }],
    ['10.0.3.0/24', { country: { iso_code: 'FR' } }],
    ['10.0.5.0/24', {}],
    ['10.0.6.0/24', { country: { iso_code: 'DE' } }],
  ]);
  const figures = await comparePlaces(before, after);
  t.same(figures, {
    removed: 256,
    countries: {
      DE: { ipv4Addresses: 256, gained: 256, changed: 0 },
      FR: { ipv4Addresses: 1024, gained: 256, changed: 512 },
      none: { ipv4Addresses: 256, gained: 0, changed: 0 },
    },
  });
  t.same(Object.keys(figures.countries), ['DE', 'FR', 'none'], 'sorted');
  t.same(totalOfChanges(figures), { ipv4Addresses: 1792, changed: 1280 });
});

t.test('other names, coordinates and confidences of the same place are no change', async (t) => {
  const before = fileOf(t, [['10.0.0.0/24', LYON]]);
  const other = {
    ...{ country: { iso_code: 'FR', confidence: 20 }, subdivisions: [{ iso_code: 'ARA', confidence: 5 }] },
    ...{
      city: { geoname_id: 2_996_944, names: { en: 'Lyons' } },
      location: { latitude: 45.7, longitude: 4.8 },
    },
  };
  const { countries } = await comparePlaces(before, fileOf(t, [['10.0.0.0/24', other]]));
  t.same(countries, { FR: { ipv4Addresses: 256, gained: 0, changed: 0 } });
});

t.test('an unchanged file has the figures of its comparison with itself', async (t) => {
  const file = fileOf(t, [
    ['10.0.0.0/24', LYON],
    ['10.0.5.0/25', {}],
  ]);
  const byCountry = { FR: { ipv4Addresses: 256 }, JP: { ipv4Addresses: 0 }, none: { ipv4Addresses: 128 } };
  t.same(unchangedPlaces(byCountry), await comparePlaces(file, file));
});
