import t from 'tap';
import type { PublishedFile } from '../input/published-source.js';
import { GROWTH, judgeFiles, LEAST_LIST_ROWS, SHRINK_ROWS } from './judge-files.js';
import type { FileTally } from './normalised-input.js';

const PATTERNS: readonly PublishedFile[] = [
  { folder: 'a', name: 'a.ipdb', container: 'plain', required: false, take: 'all' },
  { folder: 'a', name: 'a.dat', container: 'plain', required: false, take: 'all' },
  { folder: 'a', name: 'geofeeds/*.csv', container: 'plain', required: false, take: 'all', tolerance: 0.5 },
  { folder: 'a', name: 'a_*.zip', container: 'zip', required: false, take: 'latest' },
  {
    folder: 'a',
    name: 'ips-v4',
    container: 'plain',
    required: false,
    take: 'all',
    download: { url: 'https://publisher.example/ips-v4', minBytes: 1 },
  },
  { folder: 'a', name: 'ours.csv', container: 'plain', required: false, take: 'all', handWritten: true },
];

const file = (name: string, pattern: number, modified = '2026-11-21T00:00:00.000Z') => ({
  id: `a/${name}`,
  folder: 'a',
  name,
  pattern,
  sha256: '',
  sizeBytes: 1,
  modified,
});
const tally = (rows: number, rejected = 0): FileTally => ({
  rows,
  accepted: rows - rejected,
  rejected,
  rejections: rejected === 0 ? {} : { country: { count: rejected, examples: [] } },
  notes: {},
});

type Files = Readonly<Record<string, readonly [pattern: number, FileTally]>>;

type LastFiles = Readonly<Record<string, readonly [pattern: number, rows: number, modified?: string]>>;

/** Returns the messages of the refused files, given last good copies with these numbers of rows. */
function judge(tonight: Files, last: LastFiles, maxAgeDays?: number) {
  const files = Object.entries(tonight).map(([name, [pattern]]) => file(name, pattern));
  const tallies = Object.fromEntries(
    Object.entries(tonight).map(([name, [, found]]) => [`a/${name}`, found]),
  );
  const isWhole = () => Promise.resolve(true);
  const lastGood = Object.entries(last).map(([name, [pattern, rows, modified]]) => {
    return { ...file(name, pattern, modified), rows, isWhole };
  });
  const measure = { tolerance: 0.01, patterns: PATTERNS, lastGood };
  const refusals = judgeFiles(files, tallies, {
    ...measure,
    ...(maxAgeDays !== undefined && { maxAgeDays }),
  });
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

t.test('a file that is written by hand is not refused for bad rows', (t) => {
  t.same(judge({ 'ours.csv': [5, tally(9, 1)] }, {}), []);
  t.same(judge({ 'ours.csv': [5, tally(9, 9)] }, {}), []);
  t.end();
});

t.test('a file with less than half of its rows is refused as shrunk, also in a dated series', (t) => {
  const last = { 'a.ipdb': [0, SHRINK_ROWS], 'a_1.zip': [3, 5000] } as const;
  t.same(judge({ 'a.ipdb': [0, tally(500)], 'a_2.zip': [3, tally(2500)] }, last), []);
  t.same(judge({ 'a.ipdb': [0, tally(499)], 'a_2.zip': [3, tally(2499)] }, last), [
    'a/a.ipdb: shrunk: 499 rows; the last good copy had 1000',
    'a/a_2.zip: shrunk: 2499 rows; the last good copy had 5000',
  ]);
  t.end();
});

t.test('a small file and a member of a family may shrink', (t) => {
  t.same(judge({ 'a.ipdb': [0, tally(1)] }, { 'a.ipdb': [0, SHRINK_ROWS - 1] }), []);
  t.same(judge({ 'geofeeds/x.csv': [2, tally(1)] }, { 'geofeeds/x.csv': [2, 5000] }), []);
  t.end();
});

t.test('an unread file has not shrunk if another file of its feed was read instead', (t) => {
  const last = { 'a.dat': [1, 5000] } as const;
  const unread = { ...tally(0), unread: true } as const;
  t.same(judge({ 'a.ipdb': [0, tally(9)], 'a.dat': [1, unread] }, last), []);
  const shrunk = ['a/a.dat: shrunk: 0 rows; the last good copy had 5000'];
  t.same(judge({ 'a.ipdb': [0, tally(0)], 'a.dat': [1, unread] }, last), shrunk, 'nothing was read');
  t.same(
    judge({ 'a.ipdb': [0, tally(9)], 'a.dat': [1, tally(0)] }, last),
    shrunk,
    'it was read and is empty',
  );
  t.end();
});

t.test('a list of ten rows or more is refused below half and above ten times; smaller lists are not', (t) => {
  const last = { 'ips-v4': [4, LEAST_LIST_ROWS] } as const;
  const judgeList = (rows: number) => judge({ 'ips-v4': [4, tally(rows)] }, last, 30);
  t.same(judgeList(5), []);
  t.same(judgeList(4), ['a/ips-v4: shrunk: 4 rows; the last good copy had 10']);
  t.same(judgeList(LEAST_LIST_ROWS * GROWTH), []);
  t.same(judgeList(101), ['a/ips-v4: grown: 101 rows; the last good copy had 10']);
  const small = { 'ips-v4': [4, LEAST_LIST_ROWS - 1] } as const;
  for (const rows of [0, 1000]) t.same(judge({ 'ips-v4': [4, tally(rows)] }, small, 30), []);
  t.end();
});

t.test('a feed may grow, and its small files may shrink', (t) => {
  const last = { 'ips-v4': [4, SHRINK_ROWS - 1] } as const;
  for (const rows of [1, 1_000_000]) t.same(judge({ 'ips-v4': [4, tally(rows)] }, last), []);
  t.end();
});

t.test('files of a list that people provide may change freely', (t) => {
  const last = { 'a.dat': [1, SHRINK_ROWS - 1] } as const;
  for (const rows of [1, 1_000_000]) t.same(judge({ 'a.dat': [1, tally(rows)] }, last, 30), []);
  t.end();
});

t.test('a last good copy beyond the list’s maximum age is not a reference', (t) => {
  const tonight = { 'ips-v4': [4, tally(10)] } as const;
  const last = (modified: string) => ({ 'ips-v4': [4, 400, modified] }) as const;
  t.match(judge(tonight, last('2026-10-22T00:00:00.000Z'), 30), [/shrunk/]);
  t.same(judge(tonight, last('2026-10-21T23:59:59.000Z'), 30), []);
  t.end();
});
