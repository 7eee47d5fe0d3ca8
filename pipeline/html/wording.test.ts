import t from 'tap';
import { ageAt, figure } from './wording.js';

t.test('figures from a million on have the full number as tooltip', (t) => {
  t.equal(figure(12_345_678).text, '<span title="12,345,678">12.3 M</span>');
  t.equal(figure(1234).text, '1,234');
  t.end();
});

t.test('the age of a file is absent for a date after the build', (t) => {
  t.equal(ageAt('2026-11-14T00:00:00Z', Date.parse('2026-11-17T00:00:00Z') / 1000), '3 days');
  t.equal(ageAt('2026-11-18T00:00:00Z', Date.parse('2026-11-17T00:00:00Z') / 1000), undefined);
  t.end();
});
