import t from 'tap';
import { parseAddress, type Address } from '../net/address.js';
import { citySubject, verdictSubject } from './answers.js';
import { cityFile, ID, verdictFile, WORLD } from './testing/known-world.js';

function at(text: string): Address {
  return parseAddress(text)!.address;
}

t.test('the answer of a verdict has its coordinates, else those of its city', (t) => {
  const { name, answerAt } = verdictSubject(
    'feed',
    verdictFile(t, {
      '1.0.0.0/24': { country: 'FR', region: 'FR-ARA', city_id: ID.lyon, city: 'Lyon', city_zh: '里昂市' },
      '1.0.1.0/24': { country: 'FR', city_id: ID.lyon, latitude: 0, longitude: 0 },
      '1.0.2.0/24': { country: 'FR', city: 'Nowhere' },
      '1.0.3.0/24': { country: 'IT', region: 'IT-MI' },
    }),
    WORLD,
  );
  t.equal(name, 'feed');
  t.same(answerAt(at('1.0.0.9')), {
    country: 'FR',
    region: 'FR-ARA',
    cityId: ID.lyon,
    cityNames: ['lyon', '里昂'],
    point: { latitude: 45.7485, longitude: 4.8467 },
  });
  t.same(answerAt(at('1.0.1.9'))?.point, { latitude: 0, longitude: 0 }, '0 is a latitude');
  t.match(answerAt(at('1.0.2.9')), { cityId: undefined, cityNames: ['nowhere'], point: undefined });
  t.equal(answerAt(at('1.0.3.9'))?.region, 'IT-25', 'a region of the second level');
  t.equal(answerAt(at('1.0.4.9')), undefined);
  t.end();
});

t.test('the answer of a city record has its fields', (t) => {
  const { answerAt } = citySubject(
    'geo',
    cityFile(t, {
      '1.0.0.0/24': {
        country: { iso_code: 'FR' },
        subdivisions: [{ iso_code: 'ARA' }],
        city: { geoname_id: ID.lyon, names: { en: 'Lyon', 'zh-CN': '里昂' } },
        location: { latitude: 45.7, longitude: 4.8 },
      },
      '1.0.1.0/24': { registered_country: { iso_code: 'FR' } },
      '1.0.2.0/24': { country: { iso_code: 'IT' }, subdivisions: [{ iso_code: 'MI' }] },
    }),
    WORLD,
  );
  t.same(answerAt(at('1.0.0.9')), {
    country: 'FR',
    region: 'FR-ARA',
    cityId: ID.lyon,
    cityNames: ['lyon', '里昂'],
    point: { latitude: 45.7, longitude: 4.8 },
  });
  t.equal(answerAt(at('1.0.1.9'))?.country, undefined, 'the registered country is not a location');
  t.equal(answerAt(at('1.0.2.9'))?.region, 'IT-25');
  t.equal(answerAt(at('1.0.3.9')), undefined);
  t.end();
});

t.test('a record of another schema is rejected on lookup', (t) => {
  const { table } = verdictFile(t, { '1.0.0.0/24': { country: 'FR' } });
  const { answerAt } = verdictSubject('feed', { table, records: [{ country: 7 }] } as never, WORLD);
  t.equal(answerAt(at('1.0.1.0')), undefined);
  t.throws(() => answerAt(at('1.0.0.0')), { name: 'ZodError' });
  t.end();
});
