import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import t from 'tap';
import type { Claim } from '../input/claims/claim.js';
import { ColumnFileError } from '../table/column-file.js';
import { CITIES, PLACES_WITH_AREAS } from './testing/example-places.js';
import { readResolvedClaims, resolveClaims, writeResolvedClaims } from './resolved-claims.js';

const CLAIMS: readonly Claim[] = [
  { country: 'FR' },
  { country: 'FR', cityId: CITIES.lyon.id, latitude: 45.76, longitude: 4.84, radiusKm: 20 },
  { isp: 'no place' },
  { country: 'FR', cityId: CITIES.lyon.id, latitude: 45.76, longitude: 4.84, radiusKm: 20, isp: 'a' },
  { country: 'FR', regionName: 'Bretagne', cityName: 'Brest', latitude: -0.25, longitude: 0 },
  { country: 'US', region: 'US-CA', timeZone: 'America/Los_Angeles', registeredCountry: 'DE' },
  { basis: 'not-delegated' },
  { country: 'DE', basis: 'override', latitude: 50.123456, longitude: 6.9, lastLevel: 'region' },
  { country: 'DE', basis: 'override', coordinates: 'none' },
  { basis: 'override', lastLevel: 'none' },
  { country: 'HK', anycast: 'stated', cityId: CITIES.hongKong.id },
  { country: 'FR', cityId: 0xffff_fff0 },
  { registeredCountry: 'FR', anycast: 'listed' },
];

t.test('resolved claims are the same after they were written and read', (t) => {
  const path = join(t.testdir(), 'claims');
  for (const feed of ['own', 'geolite2'] as const) {
    const made = resolveClaims(feed, CLAIMS, PLACES_WITH_AREAS);
    writeResolvedClaims(path, made, PLACES_WITH_AREAS);
    const read = readResolvedClaims(path);
    t.strictSame(read.ids, made.ids);
    for (const id of made.ids) {
      if (id < 0) continue;
      const expected = { ...made.at(id), position: positionOf(made.at(id)) };
      t.strictSame(read.at(id), expected);
      t.strictSame(read.view(id), expected, 'also as a view, whatever claim was viewed before');
      t.strictSame(read.view(id), expected, 'and again');
    }
    t.not(read.at(0), read.at(0));
    t.equal(read.view(0), read.view(1), 'a view is overwritten by the next one');
    t.equal(read.ids[1], read.ids[3], 'claims that differ only in other fields are one');
    t.equal(read.ids[2], -1, 'a claim without a country has no resolved claim');
  }
  t.end();
});

t.test('a file of another kind is refused', (t) => {
  const path = join(t.testdir(), 'claims');
  writeFileSync(path, 'no columns');
  t.throws(() => readResolvedClaims(path), ColumnFileError);
  t.end();
});

/** A position without the other fields of the claim that gives it. */
function positionOf({ position }: ReturnType<ReturnType<typeof resolveClaims>['at']>) {
  if (!position) return undefined;
  const { latitude, longitude, radiusKm } = position;
  return { latitude, longitude, radiusKm };
}
