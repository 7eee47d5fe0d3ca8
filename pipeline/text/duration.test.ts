import t from 'tap';
import { duration } from './duration.js';

t.test('time spans have two units at most', (t) => {
  const spans = [0, 0.4, 45, 59.6, 98, 3599, 3600, 7500, 90_061].map(duration);
  t.same(spans, [
    '0 s',
    '0 s',
    '45 s',
    '1 min 0 s',
    '1 min 38 s',
    '59 min 59 s',
    '1 h 0 min',
    '2 h 5 min',
    '25 h 1 min',
  ]);
  t.end();
});
