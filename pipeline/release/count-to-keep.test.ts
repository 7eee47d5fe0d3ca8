import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import t from 'tap';
import { countToKeep } from './count-to-keep.js';

const DAY = 86_400;
const NOW = Date.UTC(2026, 10, 25) / 1000;

/** Creates folders of releases that were built some days ago. */
function withReleases(dir: string, daysAgo: readonly number[]): string {
  for (const days of daysAgo) {
    const built = new Date((NOW - days * DAY) * 1000).toISOString().replace(/[-:]|\.\d+/g, '');
    mkdirSync(join(dir, 'releases', `${built}-0123456789ab`), { recursive: true });
  }
  return dir;
}

t.test('without days the number counts', async (t) => {
  const dir = withReleases(t.testdir(), [1, 2, 3]);
  t.equal(await countToKeep(dir, { keepReleases: 2 }, NOW), 2);
  t.equal(await countToKeep(dir, {}, NOW), 7);
});

t.test('with days the recent releases stay, but never fewer than the number', async (t) => {
  const dir = withReleases(t.testdir(), [1, 2, 3, 29, 30, 31, 400]);
  t.equal(await countToKeep(dir, { keepReleases: 2, keepDays: 30 }, NOW), 6, 'five and the new one');
  t.equal(await countToKeep(dir, { keepReleases: 7, keepDays: 1 }, NOW), 7);
  t.equal(
    await countToKeep(withReleases(dir, [0]), { keepReleases: 1, keepDays: 2 }, NOW),
    3,
    'the new one is listed',
  );
});
