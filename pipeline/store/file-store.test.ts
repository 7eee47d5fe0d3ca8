import { readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import t from 'tap';
import { FileStore } from './file-store.js';

t.test('a file that several jobs store at the same time is stored once and complete', async (t) => {
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

t.test('a file of the same digest and another size is not found', async (t) => {
  const dir = t.testdir({ feed: 'rows' });
  const store = new FileStore(join(dir, 'output'));
  const digest = await store.keep(join(dir, 'feed'));
  writeFileSync(store.pathOf(digest.sha256), 'row');
  t.notOk(await store.holds(digest));
  t.same(await store.keep(join(dir, 'feed')), digest, 'it is kept anew');
  t.ok(await store.holds(digest));
});

t.test('a stored file with changed content is detected and stored again', async (t) => {
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

t.test('a file that is never modified is hard-linked where the file system permits it', async (t) => {
  const dir = t.testdir({ feed: 'rows' });
  const path = join(dir, 'feed');
  const store = new FileStore(join(dir, 'output'));
  const digest = await store.keep(path, { mayLink: true });
  t.equal(statSync(store.pathOf(digest.sha256)).ino, statSync(path).ino);
  t.same(await store.keep(path, { mayLink: true }), digest, 'and again');
  rmSync(path);
  t.equal(
    readFileSync(store.pathOf(digest.sha256), 'utf8'),
    'rows',
    'the stored file stays when the original is removed',
  );
});

t.test('a copy does not change with the original', async (t) => {
  const dir = t.testdir({ feed: 'rows' });
  const store = new FileStore(join(dir, 'output'));
  const digest = await store.keep(join(dir, 'feed'));
  writeFileSync(join(dir, 'feed'), 'ROWS');
  t.ok(await store.isWhole(digest));
  t.not(
    (await store.keep(join(dir, 'feed'))).sha256,
    digest.sha256,
    'other content of the same size has another digest',
  );
});

t.test('storing a missing file fails', async (t) => {
  const dir = t.testdir();
  const store = new FileStore(join(dir, 'output'));
  await t.rejects(store.keep(join(dir, 'nothing')), { code: 'ENOENT' });
});
