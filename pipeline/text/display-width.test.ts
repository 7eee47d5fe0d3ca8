import t from 'tap';
import { displayWidth, padLeft, padRight } from './display-width.js';

/** Texts and their widths in a terminal. */
const WIDTHS: readonly (readonly [string, number])[] = [
  ['', 0],
  ['AS4134 ~', 8],
  ['Ünïcödé', 7],
  ['中国电信', 8],
  ['서울', 4],
  ['ﾊﾝｶｸ', 4],
  ['ＦＵＬＬ', 8],
  ['e\u0301', 1],
  ['\u0301', 0],
  ['한', 2],
  ['\u1112\u1161\u11ab', 2],
  ['العربية', 7],
  ['…', 1],
  ['😀', 2],
  ['❤️', 2],
  ['1️⃣', 2],
  ['👩‍👩‍👧', 2],
  ['🇨🇭', 2],
  ['🏴󠁧󠁢󠁳󠁣󠁴󠁿', 2],
  ['🫨', 2],
];

t.test('a width is the number of terminal columns', (t) => {
  for (const [text, width] of WIDTHS) t.equal(displayWidth(text), width, text);
  t.end();
});

t.test('padding counts columns, and keeps text that is wider', (t) => {
  t.equal(padRight('中国', 6), '中国  ');
  t.equal(padLeft('中国', 6), '  中国');
  t.equal(padRight('👩‍👩‍👧', 3), '👩‍👩‍👧 ');
  t.equal(padRight('中国', 3), '中国');
  t.equal(padLeft('abc', 2), 'abc');
  t.end();
});
