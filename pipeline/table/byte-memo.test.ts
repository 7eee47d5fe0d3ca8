import t from 'tap';
import { ByteMemo, viewOf } from './byte-memo.js';

/** Returns the number of a text, which lies in the middle of a block. */
function numberOf(memo: ByteMemo, text: string, before = 1): number {
  const bytes = Buffer.from(`${'.'.repeat(before)}${text}...`);
  return memo.number(viewOf(bytes), before, bytes.length - 3, -1);
}

t.test('strings are numbered from 0 in the order in which they are first seen', (t) => {
  const memo = new ByteMemo();
  const texts = ['a', '', 'abcd', 'abcde', 'abcdefgh', 'abcdefgi', 'é'];
  t.same(
    texts.map((text) => numberOf(memo, text)),
    [0, 1, 2, 3, 4, 5, 6],
  );
  t.same(
    texts.map((text) => numberOf(memo, text, 3)),
    [0, 1, 2, 3, 4, 5, 6],
  );
  t.equal(memo.size, 7);
  t.end();
});

t.test('property: numbers and answers survive growth', (t) => {
  const memo = new ByteMemo();
  const texts = Array.from({ length: 30_000 }, (_, i) => `${i}`.repeat(1 + (i % 9)));
  const numbers = new Map<string, number>();
  for (const text of texts) if (!numbers.has(text)) numbers.set(text, numbers.size);
  for (const text of texts) memo.setAnswer(numberOf(memo, text), text.length);
  const wrong = texts.filter((text) => {
    return numberOf(memo, text, 2) !== numbers.get(text) || memo.answerOf(numbers.get(text)!) !== text.length;
  });
  t.same(wrong, []);
  t.equal(memo.size, numbers.size);
  t.end();
});

t.test('a memo counts the bytes of its strings, and is empty after clear', (t) => {
  const memo = new ByteMemo();
  const long = 'x'.repeat(100_000);
  for (let i = 0; i < 10; i++) numberOf(memo, `${i}${long}`);
  t.equal(memo.lengthBytes, 1_000_010);
  memo.clear();
  t.equal(memo.lengthBytes, 0);
  t.equal(numberOf(memo, '5'), 0);
  t.equal(numberOf(memo, `5${long}`), 1);
  t.equal(memo.answerOf(0), -1);
  t.equal(memo.size, 2);
  t.end();
});
