import t from 'tap';
import { parseRange } from './byte-range.js';

t.test('a range is limited to the file, and both ends are included', (t) => {
  const cases: readonly [string, ReturnType<typeof parseRange>][] = [
    ['bytes=0-99', { start: 0, end: 99 }],
    ['bytes=0-0', { start: 0, end: 0 }],
    ['bytes=10-', { start: 10, end: 999 }],
    ['bytes=990-5000', { start: 990, end: 999 }],
    ['bytes=-1', { start: 999, end: 999 }],
    ['bytes=-5000', { start: 0, end: 999 }],
    ['Bytes = 5-6', { start: 5, end: 6 }],
  ];
  for (const [header, range] of cases) t.strictSame(parseRange(header, 1000), range, header);
  t.end();
});

t.test('a range after the end is unsatisfiable', (t) => {
  for (const header of ['bytes=1000-', 'bytes=1000-1001', 'bytes=-0', 'bytes=99999999999999999999-']) {
    t.equal(parseRange(header, 1000), 'unsatisfiable', header);
  }
  t.equal(parseRange('bytes=-5', 0), 'unsatisfiable', 'an empty file has no last bytes');
  t.end();
});

t.test('decision 40: several ranges, other units and invalid headers are ignored', (t) => {
  const ignored = [
    'bytes=0-1,5-6',
    'items=0-5',
    'bytes=5-4',
    'bytes=-',
    'bytes=a-b',
    'bytes=0x1-2',
    '',
    'bytes 0-5',
  ];
  for (const header of [undefined, ...ignored])
    t.equal(parseRange(header, 1000), undefined, header ?? 'none');
  t.end();
});

t.test('every range of a small file is the slice that the header names', (t) => {
  const file = Buffer.from('0123456789');
  for (let start = 0; start < file.length; start++) {
    for (let end = start; end < file.length + 3; end++) {
      const range = parseRange(`bytes=${start}-${end}`, file.length);
      const slice = typeof range === 'object' ? file.subarray(range.start, range.end + 1) : range;
      t.same(slice, file.subarray(start, end + 1), `bytes=${start}-${end}`);
    }
  }
  t.end();
});
