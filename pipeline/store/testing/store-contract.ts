import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Test } from 'tap';
import type { ObjectBody, ObjectStore } from '../object-store.js';
import { readBody } from '../verified-read.js';

/**
 * Checks that an empty store does what the interface says. Leaves objects below `contract/`. Not all services know
 * conditional puts.
 */
export function testStore(t: Test, store: ObjectStore, { hasConditions = true } = {}): void {
  testObjects(t, store);
  testUnchanged(t, store);
  if (hasConditions) testConditions(t, store);
  testKeys(t, store);
}

const CONFLICT = { name: 'PreconditionError' };

async function textOf(store: ObjectStore, key: string): Promise<string | undefined> {
  const found = await store.get(key);
  return found && (await readBody(found, 1 << 30)).toString();
}

function testObjects(t: Test, store: ObjectStore): void {
  void t.test('an object is read as it was written, and a missing one is undefined', async (t) => {
    t.equal(await store.head('contract/none'), undefined);
    t.equal(await store.get('contract/none'), undefined);
    const put = await store.put('contract/a.json', Buffer.from('{"a":1}'));
    t.match(put, { sizeBytes: 7, etag: /./ });
    t.same(await store.head('contract/a.json'), put);
    t.equal(await textOf(store, 'contract/a.json'), '{"a":1}');
  });
  void t.test('a file of several parts and an empty file are written whole', async (t) => {
    const path = join(t.testdir(), 'large');
    const bytes = Buffer.alloc((33 << 20) + 7, 'ipatlas ');
    writeFileSync(path, bytes);
    t.equal((await store.put('contract/large', { path })).sizeBytes, bytes.length);
    t.ok((await readBody((await store.get('contract/large'))!, 1 << 30)).equals(bytes));
    await store.put('contract/empty', Buffer.alloc(0));
    t.equal(await textOf(store, 'contract/empty'), '');
  });
}

function testUnchanged(t: Test, store: ObjectStore): void {
  void t.test('a read with the last ETag says "unchanged" until the object is replaced', async (t) => {
    const { etag } = await store.put('contract/current', Buffer.from('one'));
    t.equal(await store.get('contract/current', etag), 'unchanged');
    await store.put('contract/current', Buffer.from('two'));
    const found = (await store.get('contract/current', etag)) as ObjectBody;
    t.equal((await readBody(found, 100)).toString(), 'two');
    t.not(found.etag, etag);
  });
}

function testConditions(t: Test, store: ObjectStore): void {
  void t.test('of two writers of a new key one wins, and a stale ETag replaces nothing', async (t) => {
    const first = await store.put('contract/lock', Buffer.from('a'), { ifNoneMatch: '*' });
    await t.rejects(store.put('contract/lock', Buffer.from('b'), { ifNoneMatch: '*' }), CONFLICT);
    await store.put('contract/lock', Buffer.from('c'), { ifMatch: first.etag });
    await t.rejects(store.put('contract/lock', Buffer.from('d'), { ifMatch: first.etag }), CONFLICT);
    await t.rejects(store.put('contract/not', Buffer.from('e'), { ifMatch: first.etag }), CONFLICT);
    t.equal(await textOf(store, 'contract/lock'), 'c');
    t.equal(await textOf(store, 'contract/not'), undefined);
  });
}

function testKeys(t: Test, store: ObjectStore): void {
  void t.test('a list has the keys with a prefix, and deleted objects are gone', async (t) => {
    for (const name of ['x/1', 'x/2', 'xy', 'y']) await store.put(`contract/list/${name}`, Buffer.from(name));
    const keys = async (prefix: string): Promise<string[]> => {
      const found: string[] = [];
      for await (const { key } of store.list(prefix)) found.push(key);
      return found.sort();
    };
    t.same(await keys('contract/list/x'), ['contract/list/x/1', 'contract/list/x/2', 'contract/list/xy']);
    for await (const { key, sizeBytes, modifiedMs } of store.list('contract/list/y')) {
      t.same({ key, sizeBytes }, { key: 'contract/list/y', sizeBytes: 1 });
      t.ok(Math.abs(modifiedMs - Date.now()) < 86_400_000, 'the time is in ms since 1970');
    }
    await store.delete(['contract/list/x/1', 'contract/list/none', 'contract/list/y']);
    t.same(await keys('contract/list/'), ['contract/list/x/2', 'contract/list/xy']);
    t.same(await keys('contract/nothing/'), []);
  });
  void t.test('a key that leaves the store is refused', async (t) => {
    for (const key of ['../x', 'a/../../x', '/x', 'a//b', '', 'a/.hidden'])
      await t.rejects(store.head(key), { name: 'StoreError', message: /invalid key/ }, key);
  });
}
