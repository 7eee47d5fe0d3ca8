import { readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import t, { type Test } from 'tap';
import { currentId, currentRelease, MANIFEST, REPORT } from '../release/release-store.js';
import { rollback } from '../release/rollback.js';
import { publishExample } from '../release/testing/example-release.js';
import { FolderStore } from './folder-store.js';
import { CURRENT_KEY, readPointer, releaseKey } from './release-pointer.js';
import { RemoteTier } from './remote-tier.js';
import { contentKey } from './verified-read.js';
import { SHARE_STEPS, shareCurrent, type ShareStep } from './share-release.js';

/** An output folder, and a store that counts its writes. */
function night(t: Test) {
  const dir = t.testdir();
  const written: string[] = [];
  class Counted extends FolderStore {
    override put(...[key, content, condition]: Parameters<FolderStore['put']>) {
      written.push(key);
      return super.put(key, content, condition);
    }
  }
  const store = new Counted(join(dir, 'store'));
  const remote = new RemoteTier(() => Promise.resolve(store), { log: () => undefined });
  return { outputDir: join(dir, 'output'), store, remote, written };
}

t.test('a release is uploaded files first, and current last', async (t) => {
  const { outputDir, store, remote, written } = night(t);
  t.equal(await shareCurrent(outputDir, remote), undefined, 'without a release nothing is uploaded');
  await publishExample(outputDir, 1);
  const pointer = (await shareCurrent(outputDir, remote))!;
  const { id, dir, manifest } = (await currentRelease(outputDir))!;
  t.equal(pointer.id, id);
  t.same(await readPointer(store, CURRENT_KEY), pointer);
  t.same(await readPointer(store, releaseKey(id)), pointer);
  const keys = [manifest.files[0]!.sha256, pointer.report!.sha256, pointer.manifest.sha256].map(contentKey);
  t.same(written, [...keys, releaseKey(id), CURRENT_KEY]);
  for (const [name, sha256] of [
    ['geo.mmdb', manifest.files[0]!.sha256],
    [MANIFEST, pointer.manifest.sha256],
    [REPORT, pointer.report!.sha256],
  ] as const)
    t.ok(
      readFileSync(join(store.name.slice(5), contentKey(sha256))).equals(readFileSync(join(dir, name))),
      name,
    );
});

t.test('what the store has is not uploaded again', async (t) => {
  const { outputDir, remote, written } = night(t);
  await publishExample(outputDir, 1);
  const pointer = (await shareCurrent(outputDir, remote))!;
  written.length = 0;
  t.same(await shareCurrent(outputDir, remote), pointer);
  t.same(written, [releaseKey(pointer.id)]);
});

t.test('current is whole at any step, and a repeated upload finishes', async (t) => {
  for (const last of SHARE_STEPS) {
    const { outputDir, store, remote } = night(t);
    await publishExample(outputDir, 1);
    const before = await shareCurrent(outputDir, remote);
    await publishExample(outputDir, 2);
    const killed = (step: ShareStep): void => {
      if (step === last) throw new Error(`killed: ${step}`);
    };
    await t.rejects(shareCurrent(outputDir, remote, killed), { message: `killed: ${last}` });
    const isMoved = last === 'current moved';
    t.same(await readPointer(store, CURRENT_KEY), isMoved ? await shareCurrent(outputDir, remote) : before);
    const after = await shareCurrent(outputDir, remote);
    t.equal(after?.id, await currentId(outputDir), last);
    t.same(await readPointer(store, CURRENT_KEY), after);
  }
});

t.test('the store follows a rollback, also one that happens during the upload', async (t) => {
  const { outputDir, store, remote } = night(t);
  const one = await publishExample(outputDir, 1);
  await shareCurrent(outputDir, remote);
  const two = await publishExample(outputDir, 2);
  let isMoved = false;
  await shareCurrent(outputDir, remote, async (step) => {
    if (step !== 'release listed' || isMoved) return;
    isMoved = true;
    await rollback(outputDir);
  });
  t.equal((await readPointer(store, CURRENT_KEY))?.id, one);
  await rollback(outputDir, two);
  await shareCurrent(outputDir, remote);
  t.equal((await readPointer(store, CURRENT_KEY))?.id, two);
});

t.test('a damaged release is not uploaded', async (t) => {
  const { outputDir, store, remote } = night(t);
  await publishExample(outputDir, 1);
  const { dir } = (await currentRelease(outputDir))!;
  writeFileSync(join(dir, 'geo.mmdb'), 'other');
  await t.rejects(shareCurrent(outputDir, remote), { name: 'ReleaseError', message: /geo\.mmdb: has / });
  t.equal(await readPointer(store, CURRENT_KEY), undefined);
  t.notOk(
    readdirSync(join(outputDir, '..')).includes('store') && readdirSync(store.name.slice(5)).length > 0,
  );
});

t.test('a current that is no pointer is replaced', async (t) => {
  const { outputDir, store, remote } = night(t);
  await publishExample(outputDir, 1);
  const pointer = await shareCurrent(outputDir, remote);
  for (const text of ['', '{}', '{"id": "../x"}', 'x'.repeat(1_000_000)]) {
    await store.put(CURRENT_KEY, Buffer.from(text));
    await t.rejects(readPointer(store, CURRENT_KEY), { name: 'StoreError' }, text.slice(0, 20));
    await shareCurrent(outputDir, remote);
    t.same(await readPointer(store, CURRENT_KEY), pointer);
  }
  rmSync(store.name.slice(5), { recursive: true });
  t.same(await shareCurrent(outputDir, remote), pointer, 'an emptied store is filled again');
  t.same(await readPointer(store, CURRENT_KEY), pointer);
});
