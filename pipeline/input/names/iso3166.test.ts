import t from 'tap';
import { continentOf, countryCodes, namesNoCountry, parseCountry } from './iso3166.js';

t.test('there are the 249 codes of ISO 3166-1 and XK', (t) => {
  const codes = countryCodes();
  t.equal(codes.length, 250);
  t.equal(new Set(codes).size, 250);
  t.ok(codes.every((code) => /^[A-Z]{2}$/.test(code)));
  t.ok(codes.includes('XK') && codes.includes('SS') && codes.includes('BQ'));
  t.end();
});

t.test('country codes are read in any case, and UK becomes GB', (t) => {
  t.equal(parseCountry('us'), 'US');
  t.equal(parseCountry('Hk'), 'HK');
  t.equal(parseCountry('XK'), 'XK');
  t.equal(parseCountry('uk'), 'GB');
  t.end();
});

t.test('codes for no single country are distinguished from invalid codes', (t) => {
  for (const text of ['', 'EU', 'ap', 'ZZ', 'A1', 'A2', 'O1']) {
    t.equal(parseCountry(text), undefined, text);
    t.ok(namesNoCountry(text), text);
  }
  for (const text of ['AN', 'XX', 'USA', 'U', ' US', 'DD', 'SU', '-']) {
    t.equal(parseCountry(text), undefined, text);
    t.notOk(namesNoCountry(text), text);
  }
  t.end();
});

t.test('every country has one continent', (t) => {
  const known = { CN: 'AS', US: 'NA', BR: 'SA', AU: 'OC', KE: 'AF', GS: 'AN', XK: 'EU', CY: 'EU', CX: 'OC' };
  for (const [country, continent] of Object.entries(known)) t.equal(continentOf(country), continent, country);
  t.ok(countryCodes().every((code) => continentOf(code) !== undefined));
  t.equal(continentOf('UK'), undefined);
  t.end();
});
