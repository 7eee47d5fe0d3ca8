import { existsSync, mkdirSync, utimesSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import t from 'tap';
import { acquireBuildLock } from './build-lock.js';
import { cacheSize, limitCache } from './limit-cache.js';

/** An output folder with a cache of three entries of 1,000 bytes each, in this order of age. */
function withCache(outputDir: string): string[] {
  const paths = ['cache/files/ab', 'cache/tables/own-1/table.bin', 'cache/parts/geo-2/part.bin'];
  for (const [at, path] of paths.entries()) {
    const full = join(outputDir, path);
    mkdirSync(dirname(full), { recursive: true });
    writeFileSync(full, Buffer.alloc(1000));
    const entry = at === 0 ? full : dirname(full);
    utimesSync(entry, 1000 + at, 1000 + at);
  }
  return paths.map((path) => join(outputDir, path));
}

t.test('the oldest entries of a cache are removed until it fits', async (t) => {
  const outputDir = t.testdir({});
  const paths = withCache(outputDir);
  t.equal(await cacheSize(outputDir), 3000);
  t.equal(await limitCache(outputDir, 3000), 0);
  t.equal(await limitCache(outputDir, 1500), 2);
  t.same(paths.map(existsSync), [false, false, true]);
  t.notOk(existsSync(join(outputDir, 'build.lock')), 'a folder without builds stays one');
  t.equal(await cacheSize(outputDir), 1000);
});

t.test('nothing is removed while a build of the same folder runs', async (t) => {
  const outputDir = t.testdir({});
  const paths = withCache(outputDir);
  const lock = acquireBuildLock(outputDir);
  t.equal(await limitCache(outputDir, 0), 0);
  t.same(paths.map(existsSync), [true, true, true]);
  lock.release();
  t.equal(await limitCache(outputDir, 0), 3);
});

t.test('a folder without a cache has no size', async (t) => {
  t.equal(await cacheSize(t.testdir({})), 0);
});
