import t from 'tap';
import { MALFORMED, PathInterner } from './path-interner.js';
import { asPath, viewOf } from './testing/mrt-bytes.js';
import { normalPath } from './testing/rib-lines.js';

function intern(interner: PathInterner, value: Uint8Array, hint = 0): number {
  return interner.intern(viewOf(value), 0, value.length, hint);
}

/** So many paths, many of them more than once and some with sets and confederations. */
function somePaths(count: number): string[] {
  let state = 7;
  const below = (limit: number): number => {
    state = (Math.imul(state, 1_103_515_245) + 12_345) >>> 0;
    return (state >>> 8) % limit;
  };
  return Array.from({ length: count }, () => {
    const text = Array.from({ length: 1 + below(5) }, () => 4_294_967_290 + below(6)).join(' ');
    if (below(20) === 0) return `${text} {${1 + below(3)}}`;
    return below(20) === 0 ? `(65001) ${text}` : text;
  });
}

t.test('property: a path has one number, whatever the hint, and no two paths share one', (t) => {
  const interner = new PathInterner();
  const numbers = new Map<string, number>();
  let hint = 0;
  for (const text of somePaths(30_000)) {
    const number = intern(interner, asPath(text), hint);
    const expected = numbers.get(normalPath(text)) ?? numbers.size;
    if (number !== expected) t.equal(number, expected, text);
    numbers.set(normalPath(text), number);
    if (numbers.size % 3 === 0) hint = interner.place;
  }
  t.equal(interner.size, numbers.size);
  t.ok(numbers.size > 5_000, 'the table has grown');
  const { offsets, asns, flags } = interner.table(Uint32Array.from(numbers.values()));
  const texts = Array.from(flags, (flag, i) => `${asns.slice(offsets[i], offsets[i + 1]).join(' ')}|${flag}`);
  t.strictSame(texts, [...numbers.keys()]);
  t.end();
});

t.test('paths of equal AS numbers are two when one of them ended in a set', (t) => {
  const interner = new PathInterner();
  const plain = intern(interner, asPath('1 2 2'));
  const hint = interner.place;
  t.not(intern(interner, asPath('1 2 {2}'), hint), plain);
  t.equal(intern(interner, Buffer.concat([asPath('1'), asPath('2 2')]), hint), plain, 'in two segments');
  t.end();
});

t.test('what is no path has no number', (t) => {
  const interner = new PathInterner();
  t.equal(intern(interner, asPath('1 2').subarray(0, 9)), MALFORMED);
  t.equal(interner.size, 0);
  t.end();
});

t.test('a table holds the paths asked for, in the order asked for', (t) => {
  const interner = new PathInterner();
  for (const text of ['1', '2 3', '4 {5,6}']) intern(interner, asPath(text));
  const { offsets, asns, flags } = interner.table(Uint32Array.of(2, 0));
  t.strictSame([...offsets], [0, 1, 2]);
  t.strictSame([...asns], [4, 1]);
  t.equal(flags[1], 0);
  t.end();
});
