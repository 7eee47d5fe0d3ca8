import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import t, { type Test } from 'tap';
import { gazetteerNameOf, normalisedNameOf } from '../ingest/cache-paths.js';
import { sha256Text } from '../release/digest.js';
import { currentRelease } from '../release/release-store.js';
import { rollback } from '../release/rollback.js';
import { publishExample } from '../release/testing/example-release.js';
import { FolderStore } from '../store/folder-store.js';
import { releaseKey, type ReleasePointer } from '../store/release-pointer.js';
import { indexKey, RemoteTier } from '../store/remote-tier.js';
import { contentKey } from '../store/verified-read.js';
import { collectGarbage, type KeepRule } from './collect-garbage.js';
import { shareCurrent } from '../store/share-release.js';

const HOUR_MS = 3_600_000;
const GRACE_MS = 24 * HOUR_MS;
/** A time at which all objects of a test are older than the grace period. */
const LATER_MS = Date.now() + 100 * GRACE_MS;

/** A store with the releases of some nights. */
async function nights(t: Test, epochs: readonly number[]) {
  const dir = t.testdir();
  const outputDir = join(dir, 'output');
  const store = new FolderStore(join(dir, 'store'));
  const remote = new RemoteTier(() => Promise.resolve(store), { log: () => undefined });
  const pointers: ReleasePointer[] = [];
  for (const epoch of epochs) {
    await publishExample(outputDir, epoch);
    pointers.push((await shareCurrent(outputDir, remote))!);
  }
  const collect = (rule: Partial<KeepRule> = {}) =>
    collectGarbage(store, { keep: 2, graceMs: GRACE_MS, nowMs: LATER_MS, ...rule });
  const put = async (text: string): Promise<string> => {
    const key = contentKey(sha256Text(text));
    await store.put(key, Buffer.from(text));
    return key;
  };
  const isThere = async (key: string): Promise<boolean> => (await store.head(key)) !== undefined;
  return { outputDir, store, root: join(dir, 'store'), remote, pointers, collect, put, isThere };
}

const fileOf = (epoch: number): string => contentKey(sha256Text(`geo of ${epoch}`));

t.test('the newest releases and the current one stay; others go after the grace period', async (t) => {
  const { pointers, collect, isThere } = await nights(t, [1, 2, 3]);
  const first = await collect();
  t.same(first.releases, [pointers[0]!.id]);
  t.same(first.removed, [], 'a server may be downloading it');
  t.equal(first.waiting, 3, 'its file, manifest and report');
  t.notOk(await isThere(releaseKey(pointers[0]!.id)));
  t.same((await collect({ nowMs: LATER_MS + GRACE_MS - 1 })).removed, []);
  t.ok(await isThere(fileOf(1)));
  const last = await collect({ nowMs: LATER_MS + GRACE_MS });
  t.equal(last.removed.length, 3);
  t.equal(last.waiting, 0);
  t.notOk(await isThere(fileOf(1)));
  for (const epoch of [2, 3]) t.ok(await isThere(fileOf(epoch)), `release ${epoch} stays`);
  for (const { manifest } of pointers.slice(1)) t.ok(await isThere(contentKey(manifest.sha256)));
});

t.test('the current release stays, however old it is', async (t) => {
  const { pointers, outputDir, remote, collect, isThere } = await nights(t, [1, 2, 3]);
  await rollback(outputDir, pointers[0]!.id);
  await shareCurrent(outputDir, remote);
  t.same((await collect({ graceMs: 0 })).releases, [pointers[1]!.id]);
  t.ok(await isThere(fileOf(1)));
  t.ok(await isThere(fileOf(3)));
  t.notOk(await isThere(fileOf(2)));
  t.same((await collect({ keep: 1, graceMs: 0 })).releases, [pointers[2]!.id]);
  t.ok(await isThere(fileOf(1)));
});

t.test('garbage that is needed again begins a new grace period', async (t) => {
  const { store, pointers, collect, isThere } = await nights(t, [1, 2, 3]);
  const [oldest] = pointers;
  await collect();
  await store.put(releaseKey(oldest!.id), Buffer.from(JSON.stringify(oldest)));
  await collect({ keep: 3, nowMs: LATER_MS + GRACE_MS });
  await collect({ nowMs: LATER_MS + 2 * GRACE_MS });
  t.ok(await isThere(fileOf(1)));
  await collect({ nowMs: LATER_MS + 3 * GRACE_MS });
  t.notOk(await isThere(fileOf(1)));
});

t.test('inputs and finished work of kept releases stay, all other work goes', async (t) => {
  const { outputDir, store, collect, put, isThere } = await nights(t, [1]);
  const { inputs } = (await currentRelease(outputDir))!.manifest;
  const input = contentKey(inputs[0]!.files[0]!.sha256);
  await store.put(input, Buffer.from('publisher'));
  const index = async (name: string, key: string): Promise<string> => {
    const files = { table: { sha256: key.slice('objects/'.length), sizeBytes: 1 } };
    await store.put(indexKey(name), Buffer.from(JSON.stringify({ files })));
    return indexKey(name);
  };
  const table = await put('table');
  const other = await put('other table');
  const stray = await put('stray');
  const needed = await index(normalisedNameOf(inputs[0]!)!, table);
  const unneeded = await index('tables/own-0000000000000000', other);
  t.equal(gazetteerNameOf(inputs), undefined);
  const { removed } = await collect({ graceMs: 0 });
  t.same([...removed].sort(), [unneeded, other, stray].sort());
  t.equal(removed[0], unneeded, 'the index goes before its content');
  for (const key of [input, table, needed]) t.ok(await isThere(key), key);
});

t.test('nothing is removed while the needs of a kept release are unknown', async (t) => {
  const { root, pointers, collect, put, isThere } = await nights(t, [1, 2]);
  const stray = await put('stray');
  const manifest = join(root, contentKey(pointers[0]!.manifest.sha256));
  for (const harm of [
    (): void => {
      writeFileSync(manifest, '{}');
    },
    (): void => {
      rmSync(manifest);
    },
  ]) {
    harm();
    await t.rejects(collect({ graceMs: 0 }), { name: 'StoreError', message: /nothing was removed/ });
    t.ok(await isThere(stray));
  }
});

t.test('a damaged list of garbage begins the grace period anew', async (t) => {
  const { store, collect, put, isThere } = await nights(t, [1]);
  const stray = await put('stray');
  await collect();
  for (const text of ['', '[]', '{"objects/x":-1}']) {
    await store.put('garbage.json', Buffer.from(text));
    await collect({ nowMs: LATER_MS + 9 * GRACE_MS });
    t.ok(await isThere(stray), text);
  }
});

t.test('parts of objects that killed writers left are removed after the grace period', async (t) => {
  const { root, collect } = await nights(t, [1]);
  const part = join(root, 'objects/.tmp-of-a-killed-process');
  writeFileSync(part, 'half');
  await collect({ nowMs: Date.now() });
  t.doesNotThrow(() => {
    writeFileSync(part, 'half', { flag: 'r+' });
  });
  await collect({ nowMs: Date.now() + GRACE_MS + HOUR_MS });
  t.throws(
    () => {
      writeFileSync(part, 'half', { flag: 'r+' });
    },
    { code: 'ENOENT' },
  );
});
