import { join } from 'node:path';
import t, { type Test } from 'tap';
import { present } from '../mmdb/present.js';
import { FeedError } from '../input/feed-error.js';
import { formatPrefix } from '../net/prefix.js';
import { readOperators, readTruth } from './read-truth.js';

function fileOf(t: Test, bytes: string | Buffer): string {
  return join(t.testdir({ 'places.csv': bytes }), 'places.csv');
}

const DAMAGED = [
  'prefix,country,region,city',
  '1.0.0.0/24,FR,FR-ARA,Lyon',
  '# a comment',
  '1.0.0.0.0/24,FR,FR-ARA,Lyon',
  '1.0.1.0/33,FR,FR-ARA,Lyon',
  '1.0.2.0/24,FRA,FR-ARA,Lyon',
  '1.0.3.0/24,,,',
  '1.0.4.0/24,ZZ,,',
  '1.0.5.0/24,FR,FR-ARA,"Lyon',
  ',,,',
  '1.0.6.1/24,FR,DE-BY,Lyon',
  '2a00::/32,fr,Auvergne,',
].join('\r\n');

t.test('rows with a place are kept with their lines, all others are set aside with the reason', async (t) => {
  const { rows, setAside, notes } = await readTruth(fileOf(t, `\ufeff${DAMAGED}`));
  t.same(
    rows.map(({ prefix, line, claim: { country, region, regionName, cityName } }) => [
      line,
      formatPrefix(prefix.address, prefix.length),
      present({ country, region, regionName, cityName }),
    ]),
    [
      [2, '1.0.0.0/24', { country: 'FR', region: 'FR-ARA', cityName: 'Lyon' }],
      [11, '1.0.6.0/24', { country: 'FR', cityName: 'Lyon' }],
      [12, '2a00::/32', { country: 'FR', regionName: 'Auvergne' }],
    ],
  );
  t.same(setAside, [
    { reason: 'address', line: 4, excerpt: '1.0.0.0.0/24,FR,FR-ARA,Lyon' },
    { reason: 'address', line: 5, excerpt: '1.0.1.0/33,FR,FR-ARA,Lyon' },
    { reason: 'country', line: 6, excerpt: '1.0.2.0/24,FRA,FR-ARA,Lyon' },
    { reason: 'not located', line: 7, excerpt: '1.0.3.0/24' },
    { reason: 'not located', line: 8, excerpt: '1.0.4.0/24' },
    { reason: 'quoting', line: 9, excerpt: '1.0.5.0/24,FR,FR-ARA,"Lyon' },
  ]);
  t.same(notes, { unknown: 1, 'region-country': 1, 'host-bits': 1 });
});

t.test('a row that is not UTF-8 is set aside, its neighbours are kept', async (t) => {
  const bytes = Buffer.concat([
    Buffer.from('1.0.0.0/24,FR,,\n1.0.1.0/24,FR,,'),
    Buffer.from([0xff, 0xfe]),
    Buffer.from('\n1.0.2.0/24,FR,,'),
  ]);
  const { rows, setAside } = await readTruth(fileOf(t, bytes));
  t.same(
    rows.map(({ line }) => line),
    [1, 3],
  );
  t.match(setAside, [{ reason: 'encoding', line: 2 }]);
});

t.test('the excerpt of a long row is its beginning', async (t) => {
  const { setAside } = await readTruth(fileOf(t, `nonsense,${'x'.repeat(500)}\n`));
  t.equal(setAside[0]?.excerpt.length, 120);
});

t.test('a file with other columns is rejected as a whole', async (t) => {
  await t.rejects(readTruth(fileOf(t, 'prefix,city,country\n1.0.0.0/24,Lyon,FR\n')), FeedError);
  await t.rejects(readTruth(join(t.testdir(), 'missing.csv')), { code: 'ENOENT' });
});

t.test('an empty file gives no rows', async (t) => {
  t.match(await readTruth(fileOf(t, '')), { rows: [], setAside: [], notes: {} });
});

t.test('operators are found by prefix, whatever its spelling', async (t) => {
  const { operators, setAside } = await readOperators(
    fileOf(t, 'prefix,operator\n1.0.0.7/24,one\n2A00:0::/32,"Two, Ltd"\n# 1.0.9.0/24,off\n'),
  );
  t.same(
    [...operators],
    [
      ['1.0.0.0/24', 'one'],
      ['2a00::/32', 'Two, Ltd'],
    ],
  );
  t.same(setAside, []);
});

t.test('damaged rows of operators are set aside by reason and line', async (t) => {
  const { operators, setAside } = await readOperators(
    fileOf(
      t,
      '1.0.0.0/24,one\n1.0.0.0/24,one\n1.0.0.0/24,two\nten,one\n1.0.1.0/24\n1.0.2.0/24,\n1.0.3.0/24,"x\n',
    ),
  );
  t.same([...operators], [['1.0.0.0/24', 'one']]);
  t.same(
    setAside.map(({ reason, line }) => [line, reason]),
    [
      [2, 'duplicate'],
      [3, 'conflict'],
      [4, 'address'],
      [5, 'columns'],
      [6, 'columns'],
      [7, 'quoting'],
    ],
  );
});
