import t from 'tap';
import { inPieces } from '../../../fixtures/open-file.js';
import type { CsvDialect } from './csv-lines.js';
import { columnsByName, readCsvRows } from './csv-rows.js';

const COMMA: CsvDialect = { delimiter: ',', quote: true };

/** The calls of a visitor, one entry per call. */
type Seen = ['row', number, string[]] | [string, number, string];

async function read(bytes: Buffer | string, dialect = COMMA, pieceBytes = 64 * 1024): Promise<Seen[]> {
  const seen: Seen[] = [];
  await readCsvRows({ id: 'feed/file' }, inPieces(Buffer.from(bytes), pieceBytes), dialect, {
    row: (fields, line) => seen.push(['row', line, fields]),
    bad: (reason, line, excerpt) => seen.push([reason, line, excerpt]),
  });
  return seen;
}

t.test('rows have line numbers; blank lines are counted but are not rows', async (t) => {
  t.same(await read('a,b\n\n1,"x, y"\n'), [
    ['row', 1, ['a', 'b']],
    ['row', 3, ['1', 'x, y']],
  ]);
});

t.test('a BOM, CRLF, mixed line ends and a missing last line end are accepted', async (t) => {
  t.same(await read('\ufeffa,b\r\n1,"2"\r\n\r\n3,4\n5,6'), [
    ['row', 1, ['a', 'b']],
    ['row', 2, ['1', '2']],
    ['row', 4, ['3', '4']],
    ['row', 5, ['5', '6']],
  ]);
});

t.test('a file without rows has none', async (t) => {
  for (const text of ['', '\n', '\ufeff', '\r\n\r\n']) t.same(await read(text), []);
});

t.test('rows may have any number of fields, and quotes inside fields are doubled', async (t) => {
  t.same(await read('a\n1,2,3\n"say ""hi""",""\n'), [
    ['row', 1, ['a']],
    ['row', 2, ['1', '2', '3']],
    ['row', 3, ['say "hi"', '']],
  ]);
});

t.test('a dialect without quotes reads quotes as text', async (t) => {
  t.same(await read('x\t"Y" z\nq"\t\n', { delimiter: '\t', quote: false }), [
    ['row', 1, ['x', '"Y" z']],
    ['row', 2, ['q"', '']],
  ]);
  t.same(await read('a|"b\n', { delimiter: '|', quote: false }), [['row', 1, ['a', '"b']]]);
});

t.test('a stray or unclosed quote affects only its line', async (t) => {
  t.same(await read('1,a\n2,"b\n3,c"\n4,d\n5,x"y"\n6,"e"f\n7,"g"\n'), [
    ['row', 1, ['1', 'a']],
    ['quoting', 2, '2,"b'],
    ['quoting', 3, '3,c"'],
    ['row', 4, ['4', 'd']],
    ['quoting', 5, '5,x"y"'],
    ['quoting', 6, '6,"e"f'],
    ['row', 7, ['7', 'g']],
  ]);
});

t.test('two stray quotes that close each other over lines do not join them', async (t) => {
  t.same(await read('1,"a\n2,b",c\n3,d\n'), [
    ['quoting', 1, '1,"a'],
    ['quoting', 2, '2,b",c'],
    ['row', 3, ['3', 'd']],
  ]);
});

t.test('bytes that are not UTF-8 affect only their line', async (t) => {
  const bytes = Buffer.concat([Buffer.from('1,é\n2,'), Buffer.from([0xe9, 0x22]), Buffer.from('\n3,中\n')]);
  t.same(await read(bytes), [
    ['row', 1, ['1', 'é']],
    ['encoding', 2, '2,\ufffd"'],
    ['row', 3, ['3', '中']],
  ]);
});

t.test('a stray quote affects one line of a large file', async (t) => {
  const lines = Array.from({ length: 30_000 }, (_, i) => `${i},"Ōsaka ${i}",x`);
  lines[17_000] = '17000,"Ōsaka,x';
  const seen = await read(lines.join('\n'));
  t.equal(seen.length, 30_000);
  t.same(
    seen.filter(([kind]) => kind !== 'row'),
    [['quoting', 17_001, '17000,"Ōsaka,x']],
  );
  t.same(seen.at(-1), ['row', 30_000, ['29999', 'Ōsaka 29999', 'x']]);
});

t.test('property: the rows are the same for any division into chunks', async (t) => {
  const line = (i: number) => (i % 7 === 3 ? `${i},"bad\r\n` : i % 5 === 0 ? '\n' : `${i},"é, ${i}",中\r\n`);
  const small = Buffer.from(`\ufeff${Array.from({ length: 40 }, (_, i) => line(i)).join('')}last,row`);
  const whole = await read(small);
  // The reader gathers pieces up to a block: where a small file is cut matters little, where a large one is does.
  for (const pieceBytes of [1, 2, 3, 7, 64, small.length - 1]) {
    t.same(await read(small, COMMA, pieceBytes), whole, `pieces of ${pieceBytes}`);
  }
  // A blank or bad line now and then among good ones, all different.
  const rare = (i: number): string => line(i % 5000 === 3 ? 3 : i % 500 === 0 ? 5 : 35 * i + 1);
  const large = Buffer.from(Array.from({ length: 30_000 }, (_, i) => rare(i)).join(''));
  const expected = JSON.stringify(await read(large));
  for (const pieceBytes of [997, 65_536, 262_143, 262_144, 262_145, large.length]) {
    t.equal(JSON.stringify(await read(large, COMMA, pieceBytes)), expected, `pieces of ${pieceBytes}`);
  }
});

t.test('a line of 64 KB is accepted, a longer one is refused, for any division into chunks', async (t) => {
  const longest = `${'x'.repeat(64 * 1024 - 1)}\n`;
  const refusal = { name: 'FeedError', refusal: 'container', found: /line 2 is longer than 64 KB/ };
  for (const pieceBytes of [1000, 64 * 1024, 1_000_000]) {
    t.equal((await read(`a\n${longest}b\n`, COMMA, pieceBytes)).length, 3);
    await t.rejects(read(`a\nx${longest}b\n`, COMMA, pieceBytes), refusal);
    await t.rejects(read(`a\nx${longest.trimEnd()}yz`, COMMA, pieceBytes), refusal);
  }
});

t.test('columns are found by name', (t) => {
  const names = { of: 'x.csv', required: ['network', 'id'], optional: ['is_anycast'] } as const;
  const file = { id: 'feed/file' };
  t.same(columnsByName(['id', 'network'], names, file), { network: 1, id: 0 });
  t.same(columnsByName(['is_anycast', 'id', 'network'], names, file), { network: 2, id: 1, is_anycast: 0 });
  const refused = (header: string[], found: RegExp) => {
    const wanted = { name: 'FeedError', refusal: 'header', file: 'feed/file', found };
    t.throws(() => columnsByName(header, names, file), wanted);
  };
  refused(['network'], /^x\.csv lacks column "id"$/);
  refused(['network', 'id', 'Id', 'geo'], /has unknown column "Id", "geo"$/);
  refused(['network', 'id', 'id'], /repeats column "id"$/);
  refused(['1.0.0.0', ''], /lacks column "network", "id", has unknown column "1\.0\.0\.0", ""$/);
  t.end();
});
