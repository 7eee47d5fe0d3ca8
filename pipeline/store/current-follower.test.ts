import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { open } from 'node:fs/promises';
import { join } from 'node:path';
import { tryLock } from 'fs-native-extensions';
import t, { type Test } from 'tap';
import {
  buildLockPath,
  currentId,
  currentRelease,
  listReleases,
  releaseDir,
} from '../release/release-store.js';
import { rollback } from '../release/rollback.js';
import { switchCurrent } from '../release/switch-current.js';
import { makeWorkDir, publishExample } from '../release/testing/example-release.js';
import { verifyRelease } from '../release/verify-release.js';
import { CurrentFollower } from './current-follower.js';
import { FolderStore } from './folder-store.js';
import { CURRENT_KEY } from './release-pointer.js';
import { RemoteTier } from './remote-tier.js';
import { shareCurrent } from './share-release.js';
import { contentKey } from './verified-read.js';

/** A build, its store, and a follower with an output folder of its own. */
function world(t: Test, keep = 7) {
  const dir = t.testdir();
  const [built, here, root] = ['built', 'here', 'store'].map((name) => join(dir, name)) as [
    string,
    string,
    string,
  ];
  const read: string[] = [];
  class Counted extends FolderStore {
    // Assignable to both overloads.
    override get(key: string, ifNoneMatch?: string): Promise<never> {
      read.push(key);
      return super.get(key, ifNoneMatch) as Promise<never>;
    }
  }
  const store = new Counted(root);
  const remote = new RemoteTier(() => Promise.resolve(new FolderStore(root)), { log: () => undefined });
  const publish = async (epoch: number): Promise<string> => {
    const id = await publishExample(built, epoch);
    await shareCurrent(built, remote);
    return id;
  };
  const newFollower = () => new CurrentFollower({ store, outputDir: here, keep });
  return { built, here, root, read, remote, publish, newFollower };
}

const left = (outputDir: string): string[] =>
  readdirSync(outputDir, { recursive: true, encoding: 'utf8' }).filter((path) => path.includes('.tmp-'));

t.test('a release comes to a folder in which nothing was built, in the same form', async (t) => {
  const { built, here, publish, newFollower } = world(t);
  const follower = newFollower();
  t.same(await follower.poll(), { state: 'none' });
  const id = await publish(1);
  t.match(await follower.poll(), { state: 'moved', id, downloadedBytes: Number });
  const [from, to] = [releaseDir(built, id), (await currentRelease(here))!.dir];
  t.same(readdirSync(to, { recursive: true }), readdirSync(from, { recursive: true }));
  for (const name of ['geo.mmdb', 'manifest.json', 'report.html'])
    t.ok(readFileSync(join(to, name)).equals(readFileSync(join(from, name))), name);
  t.same(await follower.poll(), { state: 'unchanged' });
  t.same(left(here), []);
});

t.test('only content that is not here is downloaded', async (t) => {
  const { built, here, read, remote, publish, newFollower } = world(t);
  const one = await publish(1);
  const follower = newFollower();
  await follower.poll();
  await publish(2);
  await follower.poll();
  read.length = 0;
  rmSync(releaseDir(here, one), { recursive: true });
  await rollback(built);
  await shareCurrent(built, remote);
  t.match(await follower.poll(), { state: 'moved', id: one });
  t.equal(read.filter((key) => key.startsWith('objects/')).length, 3, 'file, manifest and report');
  read.length = 0;
  const again = newFollower();
  t.same(await again.poll(), { state: 'unchanged' });
  t.same(read, [CURRENT_KEY]);
  const { manifest } = (await currentRelease(here))!;
  const inode = statSync(join(releaseDir(here, one), 'geo.mmdb')).ino;
  rmSync(join(releaseDir(here, one), 'report.html'));
  writeFileSync(join(releaseDir(here, one), 'stray'), '');
  read.length = 0;
  t.match(await newFollower().poll(), { state: 'moved', id: one }, 'a damaged release is mended');
  t.notOk(read.includes(contentKey(manifest.files[0]!.sha256)), 'its whole files stay');
  t.equal(statSync(join(releaseDir(here, one), 'geo.mmdb')).ino, inode);
  await verifyRelease(releaseDir(here, one));
});

t.test('a damaged local file is never linked into another release', async (t) => {
  const { here, publish, newFollower } = world(t);
  const id = await publish(1);
  await newFollower().poll();
  writeFileSync(join(releaseDir(here, id), 'geo.mmdb'), 'geo of 9');
  t.match(await newFollower().poll(), { state: 'moved', id });
  await verifyRelease(releaseDir(here, id));
  t.same(left(here), []);
});

t.test('wrong and missing content is never current, and stays in the store', async (t) => {
  const { here, root, publish, newFollower } = world(t);
  const one = await publish(1);
  const follower = newFollower();
  await follower.poll();
  await publish(2);
  const manifest = (await listReleases(join(root, '../built'))).at(0)!;
  const path = join(root, contentKey('manifest' in manifest ? manifest.manifest.files[0]!.sha256 : ''));
  const whole = readFileSync(path);
  writeFileSync(path, 'geo of 7');
  await t.rejects(follower.poll(), { name: 'WrongContentError', message: /has 8 bytes with sha256/ });
  t.ok(existsSync(path), 'a reader removes nothing');
  rmSync(path);
  await t.rejects(follower.poll(), { name: 'StoreError', message: /is missing/ });
  t.equal(await currentId(here), one);
  await verifyRelease(releaseDir(here, one));
  writeFileSync(path, whole);
  t.match(await follower.poll(), { state: 'moved', id: manifest.id });
  t.same(left(here), []);
});

t.test('a current that names no release, or another one, changes nothing', async (t) => {
  const { here, root, publish, newFollower } = world(t);
  const one = await publish(1);
  const follower = newFollower();
  await follower.poll();
  const text = readFileSync(join(root, CURRENT_KEY), 'utf8');
  for (const other of [
    text.slice(0, 40),
    '{}',
    text.replace(one, '../../x'),
    text.replace(one, one.replace('1970', '1971')),
  ]) {
    writeFileSync(join(root, CURRENT_KEY), other);
    await t.rejects(follower.poll(), { name: 'StoreError' }, other);
    t.equal(await currentId(here), one);
  }
});

t.test('a store that has lost its current release is a fault, and the last release stays', async (t) => {
  const { here, root, publish, newFollower } = world(t);
  const id = await publish(1);
  await newFollower().poll();
  renameSync(root, `${root}-gone`);
  await t.rejects(newFollower().poll(), { name: 'StoreError', message: /current: is missing/ });
  t.equal(await currentId(here), id);
  renameSync(`${root}-gone`, root);
  t.same(await newFollower().poll(), { state: 'unchanged' });
});

t.test('rollbacks are followed, and a link that was moved here returns', async (t) => {
  const { built, here, remote, publish, newFollower } = world(t);
  const one = await publish(1);
  const two = await publish(2);
  const follower = newFollower();
  await follower.poll();
  await rollback(built);
  await shareCurrent(built, remote);
  t.match(await follower.poll(), { state: 'moved', id: one });
  t.equal(await currentId(here), one);
  await follower.poll();
  mkdirSync(releaseDir(here, two), { recursive: true });
  await switchCurrent(here, two);
  t.match(await follower.poll(), { state: 'moved', id: one, downloadedBytes: 0 });
  t.equal(await currentId(here), one);
});

t.test('as many releases stay as are to be kept, and remains of killed processes go', async (t) => {
  const { here, publish, newFollower } = world(t, 2);
  const follower = newFollower();
  for (const epoch of [1, 2]) {
    await publish(epoch);
    await follower.poll();
  }
  makeWorkDir(here, 9);
  for (const name of ['store-19700101T000000Z-000000000000', 'pruned-x', 'damaged-x'])
    mkdirSync(join(here, 'releases', `.tmp-${name}`));
  await publish(3);
  await follower.poll();
  t.equal((await listReleases(here)).length, 2);
  t.same(
    left(here).filter((path) => !path.includes('/.tmp-work-9/')),
    ['releases/.tmp-work-9'],
    'the work of a job stays',
  );
});

t.test('a folder in which a build has run is left alone, and one that is followed already', async (t) => {
  const { here, publish, newFollower } = world(t);
  await publish(1);
  mkdirSync(here, { recursive: true });
  const other = await open(join(here, 'follow.lock'), 'a');
  t.ok(tryLock(other.fd));
  t.same(await newFollower().poll(), { state: 'busy' });
  await other.close();
  writeFileSync(buildLockPath(here), '');
  t.same(await newFollower().poll(), { state: 'built here' });
  t.equal(await currentId(here), undefined);
  rmSync(buildLockPath(here));
  t.match(await newFollower().poll(), { state: 'moved' });
});
