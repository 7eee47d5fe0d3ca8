import t from 'tap';
import { displayWidth } from '../text/display-width.js';
import { alignColumns } from './columns.js';
import { fitColumns } from './fit-columns.js';

t.test('a table that fits stays as it is', (t) => {
  t.same(
    alignColumns([
      ['a', '1'],
      ['bb', '22'],
    ]),
    ['a    1', 'bb  22'],
  );
  t.end();
});

t.test('the widest columns are narrowed, and their cells are divided at spaces', (t) => {
  const text = Array.from({ length: 20 }, (_, n) => `word-${n}`).join(' ');
  const lines = alignColumns([['label', text]], 2);
  t.equal(lines.length, 3);
  t.ok(lines.every((line) => displayWidth(line) <= 80));
  t.equal(lines[0]!.slice(0, 14), 'label  word-0 ');
  t.match(lines[1], /^ {7}word-/);
  t.same(lines.join(' ').split(/ +/), ['label', ...text.split(' ')], 'nothing is lost');
  t.end();
});

t.test('a word that is wider than its column is divided, a number is not', (t) => {
  const { widths, cells } = fitColumns([['x'.repeat(50), '1,234,567', 'of n']], {
    columns: 35,
    gap: 2,
    leftColumns: 1,
  });
  t.same(widths, [20, 9, 2]);
  t.same(cells, [[['x'.repeat(20), 'x'.repeat(20), 'x'.repeat(10)], ['1,234,567'], ['of', 'n']]]);
  const numbers = Array.from({ length: 20 }, () => '1,234,567');
  t.same(alignColumns([numbers], 0), [numbers.join('  ')], 'too many numbers stay in one line');
  t.end();
});

t.test('a number and its unit stay in one line', (t) => {
  const row = [
    'sources/ip2location.mmdb',
    '12,291,123',
    '3,307,455,145',
    '1,220,000',
    '9.95 MB',
    '14.1 %',
    'share-alike',
  ];
  const lines = alignColumns([
    ['file', 'networks', 'IPv4 addresses', 'records', 'size', 'share', 'terms'],
    row,
  ]);
  t.ok(lines.every((line) => displayWidth(line) <= 80));
  t.match(lines.join('\n'), /9\.95 MB {2}14\.1 % {2}share-alike/);
  t.ok(lines.length > 2, 'other cells are divided');
  t.end();
});

t.test('wide characters count as two columns', (t) => {
  const lines = alignColumns([['name', '名'.repeat(60)]], 2);
  t.same(lines, [`name  ${'名'.repeat(37)}`, `      ${'名'.repeat(23)}`]);
  t.end();
});

t.test('rows without cells and tables without rows are no lines', (t) => {
  t.same(alignColumns([]), []);
  t.same(alignColumns([[], ['a']]), ['', 'a']);
  t.end();
});
