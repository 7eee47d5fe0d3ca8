import t from 'tap';
import { DataSection } from './data-section.js';
import { ValueDecoder } from './decode.js';
import { arrayOf, map, mapOf, type Schema } from './schema.js';
import { WordRuns } from './word-runs.js';

/** Decodes the value at an offset of the section. */
function valueAt(section: DataSection, offset: number): unknown {
  return new ValueDecoder(section.view(), 0).decode(offset);
}

const NAMES = mapOf('string');

t.test('strings of every length and script are read back', (t) => {
  const section = new DataSection();
  const schema = map({ text: 'string', again: 'string' });
  const texts = ['', 'a', 'é', '地', '😀', 'a😀地é', 'é'.repeat(142), 'é'.repeat(143), 'x'.repeat(65_821)];
  for (const text of texts) {
    const record = { text, again: text };
    t.same(valueAt(section, section.addRecord(record, schema)), record, `${text.length} characters`);
  }
  t.end();
});

t.test('equal records have one offset, whether or not they are one object', (t) => {
  const section = new DataSection();
  const schema = map({ names: NAMES, id: 'uint32', other: 'string' });
  const shared = { en: 'China', 'zh-CN': '中国' };
  const first = section.addRecord({ names: shared, id: 1 }, schema);
  const second = section.addRecord({ names: shared, id: 2 }, schema);
  t.equal(section.addRecord({ names: { en: 'China', 'zh-CN': '中国' }, id: 1 }, schema), first);
  t.equal(section.addRecord({ id: 2, names: shared, other: undefined }, schema), second);
  t.equal(section.recordCount, 2);
  t.equal(section.lastRecord, second);
  t.end();
});

t.test('a text is written again unless a pointer to it is shorter', (t) => {
  const section = new DataSection();
  const schema = arrayOf('string');
  /** Adds an array of one text several times. Returns its size without the control byte. */
  const sizeOf = (text: string, times: number): number => {
    const before = section.sizeBytes;
    t.same(valueAt(section, section.addRecord(Array(times).fill(text), schema)), Array(times).fill(text));
    return section.sizeBytes - before - 2;
  };
  t.equal(sizeOf('a', 3), 2 * 3, 'a pointer would also have 2 bytes');
  t.equal(sizeOf('', 3), 3);
  t.equal(sizeOf('bc', 3), 3 + 2 * 2);
  section.addRecord(['x'.repeat(2048)], schema);
  t.equal(sizeOf('de', 3), 3 * 3, 'beyond 2,048 bytes a pointer has 3 bytes');
  t.equal(sizeOf('f', 3), 2 * 3);
  t.equal(sizeOf('ghi', 3), 4 + 2 * 3);
  t.end();
});

t.test('a record that equals a part of another record is still written at the top level', (t) => {
  const section = new DataSection();
  const inner = map({ name: 'string' });
  const part = { name: 'a name that is long enough' };
  const outerAt = section.addRecord({ part }, map({ part: inner }));
  const size = section.sizeBytes;
  const innerAt = section.addRecord(part, inner);
  t.equal(innerAt, size, 'written after the first record');
  t.same(valueAt(section, outerAt), { part });
  t.same(valueAt(section, innerAt), part);
  t.end();
});

t.test('values that differ in type, sign, keys or order are distinct', (t) => {
  const section = new DataSection();
  const double = arrayOf('double');
  const records: [unknown, Schema][] = [
    [[0], double],
    [[-0], double],
    [[1], double],
    [[1], arrayOf('float')],
    [[1], arrayOf('uint16')],
    [[1], arrayOf('uint32')],
    [[true], arrayOf('boolean')],
    [['1'], arrayOf('string')],
    [[Buffer.from('1')], arrayOf('bytes')],
    [[1n], arrayOf('uint64')],
    [[1n], arrayOf('uint128')],
    [[1], arrayOf('int32')],
    [{ a: 'x', b: 'y' }, NAMES],
    [{ b: 'y', a: 'x' }, NAMES],
    [{ a: 'y', b: 'x' }, NAMES],
    [[], double],
    [{}, NAMES],
    ['1', 'string'],
    [1, 'uint16'],
  ];
  const offsets = records.map(([value, schema]) => section.addRecord(value, schema));
  t.equal(new Set(offsets).size, records.length);
  t.equal(section.recordCount, records.length);
  t.end();
});

t.test('an error names the path in the record, also after a part that was seen before', (t) => {
  const section = new DataSection();
  const schema = map({ city: map({ names: NAMES, ids: arrayOf('uint16') }) });
  section.addRecord({ city: { names: { en: 'x' }, ids: [1] } }, schema);
  const refuse = (city: unknown, message: RegExp): void => {
    t.throws(() => section.addRecord({ city }, schema), { name: 'MmdbEncodeError', message });
  };
  refuse({ names: { en: 'x', de: '\ud800' } }, /at \/city\/names\/de: .*surrogate/);
  refuse({ names: { en: 'x', de: '\ud800x' } }, /at \/city\/names\/de: .*surrogate/);
  refuse({ names: { en: '\udc00' } }, /at \/city\/names\/en: .*surrogate/);
  refuse({ names: { en: 1 } }, /at \/city\/names\/en: 1: expected a string/);
  refuse({ ids: [1, 2, 70_000] }, /at \/city\/ids\/2: /);
  refuse({ ids: { 0: 1 } }, /at \/city\/ids: an object: expected an array/);
  refuse({ toString: 'x' }, /at \/city: key "toString"/);
  refuse({ names: ['x'] }, /at \/city\/names: an array: expected a map/);
  t.same(valueAt(section, section.addRecord({ city: { ids: [2] } }, schema)), { city: { ids: [2] } });
  t.end();
});

t.test('shared objects that have left the cache are found by content', (t) => {
  const section = new DataSection();
  const schema = map({ name: map({ text: 'string' }), id: 'uint32' });
  const names = Array.from({ length: 70_000 }, (_, i) => ({ text: `name ${i}` }));
  for (let round = 0; round < 3; round++) names.forEach((name) => section.addRecord({ name, id: 7 }, schema));
  t.equal(section.recordCount, names.length);
  t.end();
});

t.test(
  'runs of words that differ in one word are distinct, and are found again after the table has grown',
  (t) => {
    const runs = new WordRuns();
    const source = Uint32Array.from({ length: 20_003 }, (_, i) => (i % 7 === 0 ? 0 : i));
    const numbers = Array.from({ length: 20_000 }, (_, i) => runs.intern(source, i, i + 1 + (i % 3)));
    t.equal(new Set(numbers).size, runs.count);
    numbers.forEach((number, i) => {
      if (runs.intern(source, i, i + 1 + (i % 3)) !== number) t.fail(`run ${i} was not found again`);
      if (runs.words[number] !== source[i]) t.fail(`run ${i} has other words`);
    });
    t.end();
  },
);
