import { readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import t from 'tap';
import { openFileAt, PROJECT_ROOT } from '../../../fixtures/open-file.js';
import { readStatisticsDay } from './statistics-day.js';

/** Returns the day of the statistics as text, and the bytes that were reported as progress. */
async function dayOf(path: string): Promise<{ day: string | undefined; progress: number }> {
  let progress = 0;
  const file = openFileAt(path, 'plain', (bytes) => (progress += bytes));
  const day = await readStatisticsDay(file);
  return {
    day: day === undefined ? undefined : new Date(day * 86_400_000).toISOString().slice(0, 10),
    progress,
  };
}

t.test('the end date of all registries is read, also after a banner', async (t) => {
  const dir = join(PROJECT_ROOT, 'fixtures/feeds/rir');
  const days = [];
  for (const name of readdirSync(dir).sort()) {
    const { day, progress } = await dayOf(join(dir, name));
    days.push(`${name.split('-')[1]!} ${day ?? 'none'}`);
    t.equal(progress, 0, 'reading the records is the progress');
  }
  t.same(days, [
    'afrinic 2026-05-05',
    'apnic 2016-01-30',
    'arin 2019-09-08',
    'lacnic 2024-01-04',
    'ripencc 2019-09-08',
    'ripencc 2014-06-30',
  ]);
});

t.test('a file without a version line or with another date has no day', async (t) => {
  const dir = t.testdir();
  const contents = [
    '\n',
    '# 2.3|apnic|20260505|0||20260505|+1000\n',
    'apnic|AU|ipv4|1.1.1.0|256|20110811|assigned|A91872ED\n',
    '2.3|apnic|20260505|0||\n',
    ...['', '00000000', '20260231', '20261301', '2026-5-5', '202605050', 'x'].map(
      (date) => `2.3|apnic|20260505|0||${date}|+1000\n`,
    ),
  ];
  for (const [n, content] of contents.entries()) {
    const path = join(dir, `${n}`);
    writeFileSync(path, content);
    t.same(await dayOf(path), { day: undefined, progress: 0 }, content);
  }
});
