import { readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import t from 'tap';
import { FolderStore } from './folder-store.js';
import { testStore } from './testing/store-contract.js';

testStore(t, new FolderStore(join(t.testdir(), 'not', 'yet')));

t.test('many writers that compare and replace lose no write', async (t) => {
  const stores = Array.from({ length: 4 }, () => new FolderStore(join(t.testdirName, 'counted')));
  await stores[0]!.put('count', Buffer.alloc(0));
  const grow = async (store: FolderStore): Promise<void> => {
    for (let written = 0; written < 5;) {
      const { etag, sizeBytes } = (await store.head('count'))!;
      await store.put('count', Buffer.alloc(sizeBytes + 1), { ifMatch: etag }).then(
        () => written++,
        () => undefined,
      );
    }
  };
  await Promise.all(stores.map(grow));
  t.equal((await stores[0]!.head('count'))!.sizeBytes, 20);
});

t.test('an object that is a file of another system is an error with its path', async (t) => {
  const root = t.testdir({ objects: 'a file, not a folder' });
  const store = new FolderStore(root);
  await t.rejects(store.put('objects/a', Buffer.from('a')), { name: 'StoreError', message: /objects\/a: / });
  t.equal(await store.head('objects/a'), undefined);
});

t.test('a failed or refused put leaves nothing behind', async (t) => {
  const root = t.testdir({ a: 'there' });
  writeFileSync(join(root, '.tmp-of-a-killed-process'), '');
  const store = new FolderStore(root);
  await t.rejects(store.put('a', Buffer.from('b'), { ifNoneMatch: '*' }));
  await t.rejects(store.put('b', { path: join(root, 'none') }));
  t.same(readdirSync(root), ['.tmp-of-a-killed-process', 'a']);
  const listed: string[] = [];
  for await (const { key } of store.list('')) listed.push(key);
  t.same(listed, ['a'], 'unfinished files are not listed');
});
