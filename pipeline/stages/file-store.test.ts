import { readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import t from 'tap';
import { FileStore } from './file-store.js';

t.test('a file that several jobs keep at the same moment is kept once and whole', async (t) => {
  const dir = t.testdir();
  const path = join(dir, 'a file');
  const bytes = Buffer.alloc(20_000_000, 'x');
  writeFileSync(path, bytes);
  const store = new FileStore(join(dir, 'output'));
  const digests = await Promise.all(Array.from({ length: 6 }, () => store.keep(path)));
  const [first] = digests;
  for (const digest of digests) t.same(digest, first);
  t.same(readdirSync(join(dir, 'output/cache/files')), [first!.sha256]);
  t.ok(readFileSync(store.pathOf(first!.sha256)).equals(bytes));
  t.ok(await store.holds(first!));
});

t.test('a file of the same name and another size is not held', async (t) => {
  const dir = t.testdir({ feed: 'rows' });
  const store = new FileStore(join(dir, 'output'));
  const digest = await store.keep(join(dir, 'feed'));
  writeFileSync(store.pathOf(digest.sha256), 'row');
  t.notOk(await store.holds(digest));
  t.same(await store.keep(join(dir, 'feed')), digest, 'it is kept anew');
  t.ok(await store.holds(digest));
});

t.test('a kept file whose content is another is not whole, and is kept anew', async (t) => {
  const dir = t.testdir({ feed: 'rows' });
  const store = new FileStore(join(dir, 'output'));
  const digest = await store.keep(join(dir, 'feed'));
  t.ok(await store.isWhole(digest));
  writeFileSync(store.pathOf(digest.sha256), 'r0ws');
  t.notOk(await store.isWhole(digest));
  t.same(await store.keep(join(dir, 'feed')), digest);
  t.ok(await store.isWhole(digest));
  t.equal(readFileSync(store.pathOf(digest.sha256), 'utf8'), 'rows');
  rmSync(store.pathOf(digest.sha256));
  t.notOk(await store.isWhole(digest));
});

t.test('a file that nobody writes to is kept without a copy where the file system can', async (t) => {
  const dir = t.testdir({ feed: 'rows' });
  const path = join(dir, 'feed');
  const store = new FileStore(join(dir, 'output'));
  const digest = await store.keep(path, { mayLink: true });
  t.equal(statSync(store.pathOf(digest.sha256)).ino, statSync(path).ino);
  t.same(await store.keep(path, { mayLink: true }), digest, 'and again');
  rmSync(path);
  t.equal(readFileSync(store.pathOf(digest.sha256), 'utf8'), 'rows', 'it stays when its first name goes');
});

t.test('a copy is another file, whatever is written into the first one', async (t) => {
  const dir = t.testdir({ feed: 'rows' });
  const store = new FileStore(join(dir, 'output'));
  const digest = await store.keep(join(dir, 'feed'));
  writeFileSync(join(dir, 'feed'), 'ROWS');
  t.ok(await store.isWhole(digest));
  t.not((await store.keep(join(dir, 'feed'))).sha256, digest.sha256, 'of the same size, and another');
});

t.test('a file that is not there is kept by nobody', async (t) => {
  const dir = t.testdir();
  const store = new FileStore(join(dir, 'output'));
  await t.rejects(store.keep(join(dir, 'nothing')), { code: 'ENOENT' });
});
