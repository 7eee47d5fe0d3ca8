import t from 'tap';
import { queryOf } from './query.js';

t.test('decision 15: of a repeated parameter the first value counts', (t) => {
  t.same({ ...queryOf('/json?lang=en&q=a%20b&lang=zh') }, { lang: 'en', q: 'a b' });
  t.same({ ...queryOf('/json?lang=en') }, { lang: 'en' });
  t.same({ ...queryOf('/json?') }, {});
  t.end();
});

t.test('decision 72: parameters after the first hundred are ignored', (t) => {
  const names = Array.from({ length: 101 }, (_, n) => `p${n}`);
  t.same(Object.keys(queryOf(`/json?${names.join('=1&')}=1`)), names.slice(0, 100));
  t.end();
});
