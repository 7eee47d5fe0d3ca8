import t from 'tap';
import { ageIn, figureIn, figureTextIn } from './figures.js';

t.test('figures have the units of the language', (t) => {
  t.equal(figureTextIn(1_440_000_000, 'en'), '1.44 billion');
  t.equal(figureTextIn(1_440_000_000, 'zh'), '14.4亿');
  t.equal(figureTextIn(12_345, 'zh'), '12,345');
  t.equal(figureIn(8_490_123, 'zh').text, '<span title="8,490,123">849万</span>');
  t.end();
});

t.test('an age has its greatest unit, rounded down', (t) => {
  t.equal(ageIn(39 * 60 + 59, 'en'), '39 minutes');
  t.equal(ageIn(39 * 60, 'zh'), '39分钟');
  t.equal(ageIn(30 * 3600, 'en'), '30 hours');
  t.equal(ageIn(12 * 86_400, 'zh'), '12天');
  t.end();
});
