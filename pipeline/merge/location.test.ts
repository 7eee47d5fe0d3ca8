import t from 'tap';
import { mergeLocation } from './location.js';

const LYON = { country: 'FR', region: 'FR-ARA', cityId: 2996944 };
const LYON_AT = { ...LYON, latitude: 45.75, longitude: 4.85, radiusKm: 20, timeZone: 'Europe/Paris' };

t.test('an override wins outright: what it leaves out stays out', (t) => {
  const own = { country: 'US', basis: 'override' } as const;
  const geolite2 = { country: 'US', region: 'US-CA', cityId: 1, latitude: 0, longitude: 1 };
  t.same(mergeLocation({ own, geolite2 }), { country: 'US', decidedBy: 'own' });
  t.same(mergeLocation({ own: { ...own, latitude: 0, longitude: 0 } }), {
    country: 'US',
    latitude: 0,
    longitude: 0,
    decidedBy: 'own',
  });
  t.end();
});

t.test('a geofeed wins over observations, which refine it where they agree', (t) => {
  const geofeed = { country: 'FR', basis: 'geofeed' } as const;
  t.same(mergeLocation({ own: geofeed, geolite2: LYON_AT }), { ...LYON_AT, decidedBy: 'own' });
  t.same(mergeLocation({ own: { ...geofeed, ...LYON }, geolite2: LYON_AT }), {
    ...LYON_AT,
    decidedBy: 'own',
  });
  t.same(
    mergeLocation({ own: { ...geofeed, region: 'FR-IDF' }, geolite2: LYON_AT }),
    { country: 'FR', region: 'FR-IDF', decidedBy: 'own' },
    'another region: nothing below it is taken',
  );
  t.same(
    mergeLocation({ own: { ...geofeed, ...LYON, cityId: 7 }, geolite2: LYON_AT }),
    { ...LYON, cityId: 7, decidedBy: 'own' },
    'another city: no coordinates of the wrong place',
  );
  t.same(
    mergeLocation({ own: { ...geofeed, country: 'DE' }, geolite2: LYON_AT }),
    { country: 'DE', decidedBy: 'own' },
    'another country',
  );
  t.end();
});

t.test('names that have no id are never taken for agreement', (t) => {
  const own = { country: 'FR', cityName: 'Lyon', basis: 'geofeed' } as const;
  const merged = mergeLocation({ own, geolite2: LYON_AT });
  t.same(merged, { country: 'FR', region: 'FR-ARA', cityName: 'Lyon', decidedBy: 'own' });
  const region = { country: 'FR', regionName: 'Rhône', basis: 'geofeed' } as const;
  t.same(mergeLocation({ own: region, geolite2: LYON_AT }), {
    country: 'FR',
    regionName: 'Rhône',
    decidedBy: 'own',
  });
  t.end();
});

t.test('an observation wins over a registration; a registration stands alone', (t) => {
  const own = { country: 'GB', registeredCountry: 'GB', basis: 'registration' } as const;
  t.same(mergeLocation({ own, geolite2: LYON_AT }), {
    ...LYON_AT,
    registeredCountry: 'GB',
    decidedBy: 'geolite2',
  });
  t.same(mergeLocation({ own }), { country: 'GB', registeredCountry: 'GB', decidedBy: 'own' });
  const guess = { country: 'FR', registeredCountry: 'FR', basis: 'registration' } as const;
  t.same(mergeLocation({ own, geolite2: guess }), {
    country: 'FR',
    registeredCountry: 'GB',
    decidedBy: 'geolite2',
  });
  t.end();
});

t.test('the registered country comes from the registries first, also when nothing else is known', (t) => {
  t.same(mergeLocation({ own: { registeredCountry: 'SE' } }), { registeredCountry: 'SE' });
  t.same(mergeLocation({ geolite2: { registeredCountry: 'SE' } }), { registeredCountry: 'SE' });
  t.same(
    mergeLocation({ own: { registeredCountry: 'SE' }, geolite2: { ...LYON, registeredCountry: 'NO' } }),
    { ...LYON, registeredCountry: 'SE', decidedBy: 'geolite2' },
  );
  t.equal(mergeLocation({}), undefined);
  t.equal(mergeLocation({ own: { isp: 'x' } }), undefined);
  t.end();
});
