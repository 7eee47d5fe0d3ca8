import t from 'tap';
import { printable, printableJson, printableLine } from './printable.js';

/** Every unsafe kind of character with its escape. */
const UNSAFE: readonly (readonly [string, string])[] = [
  ['\u0000', '\\x00'],
  ['\t', '\\x09'],
  ['\r', '\\x0d'],
  ['\u001b[2J', '\\x1b[2J'],
  ['\u007f', '\\x7f'],
  ['\u0085', '\\x85'],
  ['\u009b2J', '\\x9b2J'],
  ['\u00ad', '\\xad'],
  ['\u061c', '\\u{61c}'],
  ['\u115f', '\\u{115f}'],
  ['\u180e', '\\u{180e}'],
  ['\u200b', '\\u{200b}'],
  ['\u200d', '\\u{200d}'],
  ['\u2028', '\\u{2028}'],
  ['\u2029', '\\u{2029}'],
  ['\u202e', '\\u{202e}'],
  ['\u2066', '\\u{2066}'],
  ['\u2069', '\\u{2069}'],
  ['\u3164', '\\u{3164}'],
  ['\ufe0f', '\\u{fe0f}'],
  ['\ufeff', '\\u{feff}'],
  ['\ufffb', '\\u{fffb}'],
  ['\ud800', '\\u{d800}'],
  ['\u{e0041}', '\\u{e0041}'],
];

const SAFE = 'AS4134 中国电信 Ünïcödé \u00a0 العربية e\u0301 😀 ~ \\';

t.test('unsafe characters are escaped, all others are kept', (t) => {
  for (const [unsafe, escape] of UNSAFE) {
    t.equal(printable(`a${unsafe}b`), `a${escape}b`);
    t.equal(printableLine(`a${unsafe}b`), `a${escape}b`);
  }
  t.equal(printable(SAFE), SAFE);
  t.equal(printableLine(SAFE), SAFE);
  t.equal(printable('two\nlines\r\n'), 'two\nlines\\x0d\n', 'lines of our own stay lines');
  t.equal(printableLine('one\nline'), 'one\\x0aline');
  t.end();
});

t.test('a line has a greatest length', (t) => {
  t.equal(printableLine('123456', 6), '123456');
  t.equal(printableLine('1234567', 6), '123456… (7 characters)');
  t.equal(printableLine('\u001b'.repeat(9), 2), '\\x1b\\x1b… (9 characters)');
  t.equal(printableLine('a😀😀', 2), 'a\\u{d83d}… (5 characters)', 'half a pair is not printed');
  t.ok(printableLine('x'.repeat(1e6)).length < 5000);
  t.end();
});

t.test('JSON stays the same value', (t) => {
  for (const [unsafe] of UNSAFE) {
    const value = { [`k${unsafe}`]: [`a${unsafe}\n${SAFE}`] };
    for (const indent of [0, 2]) {
      const json = printableJson(JSON.stringify(value, null, indent));
      t.same(JSON.parse(json), value);
      t.equal(printable(json), json, 'without unsafe characters');
    }
  }
  t.end();
});
