import { readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import t from 'tap';
import { linkFile } from './link-file.js';

t.test('a file is linked', async (t) => {
  const dir = t.testdir({ a: 'bytes' });
  await linkFile(join(dir, 'a'), join(dir, 'b'));
  t.equal(statSync(join(dir, 'b')).ino, statSync(join(dir, 'a')).ino);
});

const OTHER = '/dev/shm';
const isOther =
  statSync(OTHER, { throwIfNoEntry: false })?.dev !== undefined &&
  statSync(OTHER).dev !== statSync(import.meta.dirname).dev;

t.test(
  'on another file system it is copied',
  { skip: isOther ? false : 'there is no other file system here' },
  async (t) => {
    const dir = t.testdir();
    const from = join(OTHER, `ipatlas-link-${process.pid}`);
    t.teardown(() => {
      rmSync(from, { force: true });
    });
    writeFileSync(from, 'bytes');
    await linkFile(from, join(dir, 'b'));
    t.equal(readFileSync(join(dir, 'b'), 'utf8'), 'bytes');
  },
);

t.test('a missing source and an existing target are errors', async (t) => {
  const dir = t.testdir({ a: 'bytes', b: 'others' });
  await t.rejects(linkFile(join(dir, 'nothing'), join(dir, 'c')), { code: 'ENOENT' });
  await t.rejects(linkFile(join(dir, 'a'), join(dir, 'b')), { code: 'EEXIST' });
  t.equal(readFileSync(join(dir, 'b'), 'utf8'), 'others');
});
