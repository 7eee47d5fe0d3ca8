import t from 'tap';
import { Transliterations } from './transliterations.js';

const PAIRS =
  'Slo 斯洛, Stan 斯坦, Smolin 斯莫林, Laus 劳斯, Lauda 劳达, Lauren 劳伦, Redding 雷丁, Reno 雷诺, Regina 雷吉纳, Dinslak 丁斯拉克';

/** Learns the pairs with different endings, so that every pair is new. */
function learned(times: number): Transliterations {
  const transliterations = new Transliterations();
  for (let time = 0; time < times; time++) {
    for (const pair of PAIRS.split(', ')) {
      const [en, zh] = pair.split(' ') as [string, string];
      transliterations.learn({ country: 'GB', en: `${en}${'a'.repeat(time)}`, zh });
    }
  }
  // The source translates these words, too.
  transliterations.learn({ country: 'GB', en: 'Slough', zh: '泥沼' });
  for (let place = 0; place < 9; place++)
    transliterations.learn({ country: 'GB', en: 'Reading', zh: '阅读' });
  return transliterations;
}

t.test('a dictionary word is no transliteration, even if it was learned', (t) => {
  const transliterations = learned(100);
  const isPossible = (en: string, zh: string, country = 'GB') =>
    transliterations.isPossible({ country, en, zh });
  t.ok(isPossible('Slough', '斯劳'));
  t.notOk(isPossible('Slough', '泥沼'));
  t.ok(isPossible('Reading', '雷丁'));
  t.notOk(isPossible('Reading', '阅读'));
  t.end();
});

t.test('words for kinds of places and names of countries with Han names are accepted', (t) => {
  const transliterations = learned(100);
  t.ok(transliterations.isPossible({ country: 'CA', en: 'New Lake City', zh: '新湖城' }));
  t.ok(transliterations.isPossible({ country: 'JP', en: 'Hiroshima', zh: '广岛' }));
  t.notOk(transliterations.isPossible({ country: 'CH', en: 'Rue', zh: '后悔' }));
  t.end();
});

t.test('without enough pairs every name is accepted', (t) => {
  t.ok(learned(1).isPossible({ country: 'GB', en: 'Reading', zh: '阅读' }));
  t.end();
});
