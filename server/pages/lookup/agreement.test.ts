import t from 'tap';
import { compare, countAgreement, isDifferent } from './agreement.js';

const ANSWER = { country: 'Germany', region: 'Hesse', city: '' };
const SAME = { country: 'Germany', region: 'Hesse', city: 'Frankfurt' };
const OTHER = { country: 'Germany', region: 'Bavaria', city: '' };
const COARSE = { country: 'Germany', region: '', city: '' };
const compared = [SAME, OTHER, COARSE].map((verdict) => ({
  agreement: compare([{ verdict, answer: ANSWER }]),
}));

t.test('a verdict agrees, differs, is silent, or states what the answer does not', (t) => {
  t.same(compared, [
    { agreement: { country: 'agrees', region: 'agrees', city: 'further' } },
    { agreement: { country: 'agrees', region: 'differs', city: 'silent' } },
    { agreement: { country: 'agrees', region: 'silent', city: 'silent' } },
  ]);
  t.same(compared.map(isDifferent), [false, true, false]);
  t.end();
});

t.test('a name that a database has in one language only is compared in that language', (t) => {
  const verdict = { country: 'Germany', region: '黑森州', city: '' };
  const chinese = { verdict, answer: { country: '德国', region: '黑森州', city: '' } };
  t.match(compare([{ verdict, answer: ANSWER }, chinese]), { country: 'agrees', region: 'agrees' });
  t.end();
});

t.test('agreement is counted among the verdicts that state a level of the answer', (t) => {
  t.same(countAgreement(compared), [
    { level: 'country', agreeing: 3, stating: 3 },
    { level: 'region', agreeing: 1, stating: 2 },
  ]);
  t.end();
});
