import t from 'tap';
import type { FeedFile } from '../feeds/feed.js';
import { judgeFiles, SHRINK_ROWS } from './judge-files.js';
import type { FileTally } from './kept-reading.js';

const PATTERNS: readonly FeedFile[] = [
  { folder: 'a', name: 'a.ipdb', container: 'plain', required: false, take: 'all' },
  { folder: 'a', name: 'a.dat', container: 'plain', required: false, take: 'all' },
  { folder: 'a', name: 'geofeeds/*.csv', container: 'plain', required: false, take: 'all', tolerance: 0.5 },
  { folder: 'a', name: 'a_*.zip', container: 'zip', required: false, take: 'latest' },
];

const file = (name: string, pattern: number) => ({
  id: `a/${name}`,
  folder: 'a',
  name,
  pattern,
  sha256: '',
  sizeBytes: 1,
  modified: '2026-11-21T00:00:00.000Z',
});
const tally = (rows: number, rejected = 0): FileTally => ({
  rows,
  accepted: rows - rejected,
  rejected,
  rejections: rejected === 0 ? {} : { country: { count: rejected, examples: [] } },
  notes: {},
});

type Files = Readonly<Record<string, readonly [pattern: number, FileTally]>>;

/** What is said of tonight's files, beside last good copies with so many rows. */
function judge(tonight: Files, last: Readonly<Record<string, readonly [pattern: number, rows: number]>>) {
  const files = Object.entries(tonight).map(([name, [pattern]]) => file(name, pattern));
  const tallies = Object.fromEntries(
    Object.entries(tonight).map(([name, [, found]]) => [`a/${name}`, found]),
  );
  const isWhole = () => Promise.resolve(true);
  const lastGood = Object.entries(last).map(([name, [pattern, rows]]) => {
    return { ...file(name, pattern), rows, isWhole };
  });
  const refusals = judgeFiles(files, tallies, { tolerance: 0.01, patterns: PATTERNS, lastGood });
  return refusals.map(({ message }) => message);
}

t.test('every file over its tolerance is refused', (t) => {
  t.same(judge({ 'a.ipdb': [0, tally(100, 1)], 'geofeeds/x.csv': [2, tally(10, 5)] }, {}), []);
  t.same(judge({ 'a.ipdb': [0, tally(100, 2)], 'geofeeds/x.csv': [2, tally(10, 6)] }, {}), [
    'a/a.ipdb: tolerance: 2 of 100 rows rejected (country 2), tolerance 1 %',
    'a/geofeeds/x.csv: tolerance: 6 of 10 rows rejected (country 6), tolerance 50 %',
  ]);
  t.end();
});

t.test('a file with less than half of its rows has shrunk, of a series too', (t) => {
  const last = { 'a.ipdb': [0, SHRINK_ROWS], 'a_1.zip': [3, 5000] } as const;
  t.same(judge({ 'a.ipdb': [0, tally(500)], 'a_2.zip': [3, tally(2500)] }, last), []);
  t.same(judge({ 'a.ipdb': [0, tally(499)], 'a_2.zip': [3, tally(2499)] }, last), [
    'a/a.ipdb: shrunk: 499 rows, the last good copy had 1000',
    'a/a_2.zip: shrunk: 2499 rows, the last good copy had 5000',
  ]);
  t.end();
});

t.test('a small file and a member of a family may shrink', (t) => {
  t.same(judge({ 'a.ipdb': [0, tally(1)] }, { 'a.ipdb': [0, SHRINK_ROWS - 1] }), []);
  t.same(judge({ 'geofeeds/x.csv': [2, tally(1)] }, { 'geofeeds/x.csv': [2, 5000] }), []);
  t.end();
});

t.test('a file has not shrunk when another of its feed was read instead', (t) => {
  const last = { 'a.dat': [1, 5000] } as const;
  const unread = { ...tally(0), unread: true } as const;
  t.same(judge({ 'a.ipdb': [0, tally(9)], 'a.dat': [1, unread] }, last), []);
  const shrunk = ['a/a.dat: shrunk: 0 rows, the last good copy had 5000'];
  t.same(judge({ 'a.ipdb': [0, tally(0)], 'a.dat': [1, unread] }, last), shrunk, 'nothing was read');
  t.same(
    judge({ 'a.ipdb': [0, tally(9)], 'a.dat': [1, tally(0)] }, last),
    shrunk,
    'it was read and is empty',
  );
  t.end();
});
