import t from 'tap';
import { PathInterner } from './path-interner.js';
import { asPath, viewOf } from './testing/mrt-bytes.js';
import { normalPath } from './testing/rib-lines.js';

/** Returns the number of a path; undefined if it is malformed. */
function intern(interner: PathInterner, value: Uint8Array, hint = 0): number | undefined {
  if (!interner.add(viewOf(value), 0, value.length, hint)) return undefined;
  const numbers = new Uint32Array(1);
  interner.settle(numbers, 0);
  return numbers[0];
}

/** Returns `count` paths, many repeated and some with sets and confederations. */
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
    numbers.set(normalPath(text), expected);
    if (numbers.size % 3 === 0) hint = interner.placeOf(0);
  }
  t.equal(interner.size, numbers.size);
  t.ok(numbers.size > 5_000, 'the table has grown');
  const { offsets, asns, flags } = interner.table(Uint32Array.from(numbers.values()));
  const texts = Array.from(flags, (flag, i) => `${asns.slice(offsets[i], offsets[i + 1]).join(' ')}|${flag}`);
  t.strictSame(texts, [...numbers.keys()]);
  t.end();
});

t.test('paths of equal AS numbers are distinct if one ended in a set', (t) => {
  const interner = new PathInterner();
  const plain = intern(interner, asPath('1 2 2'));
  const hint = interner.placeOf(0);
  t.not(intern(interner, asPath('1 2 {2}'), hint), plain);
  t.equal(intern(interner, Buffer.concat([asPath('1'), asPath('2 2')]), hint), plain, 'in two segments');
  t.end();
});

t.test('a malformed path has no number', (t) => {
  const interner = new PathInterner();
  t.equal(intern(interner, asPath('1 2').subarray(0, 9)), undefined);
  t.equal(interner.size, 0);
  t.end();
});

t.test('a table has the requested paths in the requested order', (t) => {
  const interner = new PathInterner();
  for (const text of ['1', '2 3', '4 {5,6}']) intern(interner, asPath(text));
  const { offsets, asns, flags } = interner.table(Uint32Array.of(2, 0));
  t.strictSame([...offsets], [0, 1, 2]);
  t.strictSame([...asns], [4, 1]);
  t.equal(flags[1], 0);
  t.end();
});

t.test('property: paths settled together get the same numbers as one by one', (t) => {
  const texts = somePaths(5_000);
  const values = texts.map((text) => asPath(text));
  const bytes = viewOf(Buffer.concat(values));
  const together = new PathInterner(1);
  const numbers = new Uint32Array(texts.length);
  let settled = 0;
  let at = 0;
  values.forEach(({ length }, i) => {
    if (!together.add(bytes, at, at + length, 0)) t.fail(`path ${i}`);
    at += length;
    if (i % 70 !== 69 && i + 1 < values.length) return;
    together.settle(numbers, settled);
    settled = i + 1;
  });
  const first = new Map<string, number>();
  texts.forEach((text, i) => {
    const number = numbers[i]!;
    const expected = first.get(normalPath(text));
    if (expected !== undefined && expected !== number) t.fail(text);
    first.set(normalPath(text), number);
  });
  t.equal(new Set(first.values()).size, together.size);
  t.end();
});

t.test('dropped paths get no numbers', (t) => {
  const interner = new PathInterner();
  const value = asPath('1 2 3');
  interner.add(viewOf(value), 0, value.length, 0);
  interner.drop();
  const numbers = Uint32Array.of(7);
  interner.settle(numbers, 0);
  t.equal(numbers[0], 7);
  t.equal(interner.size, 0);
  t.end();
});
