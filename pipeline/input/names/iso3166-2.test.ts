import t from 'tap';
import { currentRegionCode, isoSubdivisions } from './iso3166-2.js';

const ALPHANUMERICS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789'.split('');

t.test('a current code is returned as it is', (t) => {
  for (const code of ['US-CA', 'FR-13', 'NO-32', 'GT-16', 'CN-BJ']) t.equal(currentRegionCode(code), code);
  t.end();
});

t.test('a withdrawn code becomes its successor, which is a current code', (t) => {
  const current = new Set(isoSubdivisions().map(({ code }) => code));
  const withdrawn = [
    'CN-11',
    'CZ-PR',
    'EE-49',
    'FR-J',
    'GT-AV',
    'IN-OR',
    'KZ-ALA',
    'MX-DIF',
    'NO-02',
    'PL-MZ',
  ];
  for (const code of withdrawn) {
    t.notOk(current.has(code), code);
    t.ok(current.has(currentRegionCode(code)!), `${code} is now ${currentRegionCode(code)!}`);
  }
  t.equal(currentRegionCode('NO-02'), 'NO-32');
  t.equal(currentRegionCode('GT-GU'), 'GT-01');
  const possible = Array.from(new Set([...current].map((code) => code.slice(0, 2)))).flatMap((country) =>
    ALPHANUMERICS.flatMap((a) => ['', ...ALPHANUMERICS].map((b) => `${country}-${a}${b}`)),
  );
  const wrong = possible.filter((code) => !current.has(currentRegionCode(code) ?? 'US-CA'));
  t.same(wrong, [], 'every successor is current');
  t.end();
});

t.test('there is no current code for a divided county, nor for a code that ISO never listed', (t) => {
  for (const code of ['NO-30', 'NO-54', 'AS-E', 'BM-HC', 'SJ-21', 'US-XX', 'XX']) {
    t.equal(currentRegionCode(code), undefined, code);
  }
  t.end();
});
