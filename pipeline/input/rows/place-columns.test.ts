import t from 'tap';
import { readPlace } from './place-columns.js';

t.test('coordinates are decimal degrees in range, rounded to a millionth', (t) => {
  const spots: [latitude: string, longitude: string, kept: object][] = [
    ['59.355596110016315', '18.0615234375', { latitude: 59.355596, longitude: 18.061523 }],
    ['-90', '180', { latitude: -90, longitude: 180 }],
    ['0', '109.3333', { latitude: 0, longitude: 109.3333 }],
    ['0.000000', '0.000000', { latitude: 0, longitude: 0 }],
    ['-0.0', '-0', { latitude: 0, longitude: 0 }],
    ['5e-05', '1.5', { latitude: 0.00005, longitude: 1.5 }],
    ['-', '-', {}],
    ['', '', {}],
  ];
  for (const [latitude, longitude, kept] of spots) {
    const read = readPlace({ country: 'SE', cityName: 'Solna', latitude, longitude });
    t.same(read, { claim: { country: 'SE', cityName: 'Solna', ...kept } }, `${latitude},${longitude}`);
  }
  t.end();
});

t.test('invalid coordinates are dropped and noted', (t) => {
  const spots = ['90.1,0', '0,-180.5', '1e2,0', '12,', ',12', '12,east', 'NaN,NaN', '1,2', '--1,2', '0x10,2'];
  const noted = spots.filter((spot) => {
    const [latitude = '', longitude = ''] = spot.split(',');
    const read = readPlace({ country: 'SE', latitude, longitude });
    return 'notes' in read && read.claim.latitude === undefined && read.claim.longitude === undefined;
  });
  t.same(
    noted,
    spots.filter((spot) => spot !== '1,2'),
  );
  t.end();
});

t.test('0,0 without a city is a placeholder', (t) => {
  const place = { country: 'XK', regionName: 'Pristina', latitude: '0.000000', longitude: '0' };
  t.same(readPlace(place), { claim: { country: 'XK', regionName: 'Pristina' } });
  t.end();
});

t.test('a country is an ISO 3166-1 code; unknown is absent, and any other text rejects the row', (t) => {
  const read = (country: string): unknown => readPlace({ country });
  t.same(read('uk'), { claim: { country: 'GB' } });
  for (const unknown of ['', '-', 'ZZ', 'EU', 'AP', 'A1', 'A2', 'O1']) t.same(read(unknown), { claim: {} });
  for (const wrong of ['AN', 'XX', 'Australia', '0']) t.same(read(wrong), { refused: 'country' }, wrong);
  t.end();
});

t.test('Hong Kong and Macao have no regions, Taiwan has regions', (t) => {
  const regionOf = (country: string): unknown => {
    const read = readPlace({ country, regionName: 'Somewhere' });
    return 'claim' in read && read.claim.regionName;
  };
  t.equal(regionOf('HK'), undefined);
  t.equal(regionOf('MO'), undefined);
  t.equal(regionOf('TW'), 'Somewhere');
  t.end();
});
