import { appendFileSync, existsSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import t, { type Test } from 'tap';
import { buildLockPath } from '../release/release-store.js';
import { publishExample } from '../release/testing/example-release.js';
import { FolderStore } from '../store/folder-store.js';
import { CURRENT_KEY, readPointer } from '../store/release-pointer.js';
import { contentKey } from '../store/verified-read.js';
import {
  build,
  copyFeeds,
  ipatlas,
  outputFolder,
  served,
  sha256,
  type Settings,
} from './testing/command-line.js';

/** The settings of small builds with a store, and that store. */
function storedNights(t: Test) {
  const root = join(outputFolder(t), 'store');
  const settings: Settings = {
    FEEDS: copyFeeds(t),
    OUTPUT: outputFolder(t),
    BUILD_FEEDS: 'own',
    STORE: `file:${root}`,
    STORE_GRACE_HOURS: '0',
  };
  return { root, settings, store: new FolderStore(root), output: settings['OUTPUT']! };
}

t.test('a build publishes its release in the store, and garbage goes', async (t) => {
  const { root, settings, store, output } = storedNights(t);
  await build(t, { ...settings, KEEP_RELEASES: '1' });
  const first = await served(output);
  const pointer = await readPointer(store, CURRENT_KEY);
  t.equal(pointer?.id, first.id);
  t.equal(pointer?.manifest.sha256, sha256(join(first.dir, 'manifest.json')));
  for (const file of first.manifest.files)
    t.equal(sha256(join(root, contentKey(file.sha256))), file.sha256, file.name);
  appendFileSync(join(settings['FEEDS']!, 'own/overrides.csv'), '9.9.9.0/24,FR,,,,,Quad9,,\n');
  await build(t, { ...settings, KEEP_RELEASES: '1' });
  const second = await served(output);
  t.match(second.manifest.changes, { since: first.id, countries: { FR: { gained: 256 } } }, 'counted here');
  t.equal((await readPointer(store, CURRENT_KEY))?.id, second.id);
  t.same(readdirSync(join(root, 'releases')), [`${second.id}.json`]);
  const geo = (files: typeof first.manifest.files): string =>
    contentKey(files.find(({ name }) => name === 'geo.mmdb')!.sha256);
  t.notOk(existsSync(join(root, geo(first.manifest.files))), 'the file of the removed release');
  t.ok(existsSync(join(root, geo(second.manifest.files))));
});

t.test('a build with nothing new finishes the publication of an earlier one', async (t) => {
  const { root, settings, store, output } = storedNights(t);
  await build(t, { ...settings, STORE: '' });
  t.notOk(existsSync(root));
  const { id } = await served(output);
  const { stdout } = await build(t, settings);
  t.match(stdout, /nothing has changed|unchanged|same inputs/i);
  t.equal((await readPointer(store, CURRENT_KEY))?.id, id);
  rmSync(join(root, CURRENT_KEY));
  await build(t, settings);
  t.equal((await readPointer(store, CURRENT_KEY))?.id, id);
});

t.test(
  'the store follows a rollback, and a rollback in a folder of a server is an error of use',
  async (t) => {
    const { settings, store, output } = storedNights(t);
    const one = await publishExample(output, 1);
    const two = await publishExample(output, 2);
    const refused = await ipatlas(t, settings, 'rollback');
    t.equal(refused.code, 64);
    t.match(refused.stderr, /no build has run in .*, which may follow file:/);
    t.equal((await served(output)).id, two);
    writeFileSync(buildLockPath(output), '');
    const { code, stdout } = await ipatlas(t, settings, 'rollback');
    t.equal(code, 0);
    t.match(stdout, `; ${settings['STORE']} follows`);
    t.equal((await readPointer(store, CURRENT_KEY))?.id, one);
    await ipatlas(t, settings, 'release', two);
    t.equal((await readPointer(store, CURRENT_KEY))?.id, two);
    const STORE = `file:${join(settings['FEEDS']!, 'own/overrides.csv')}`;
    const failed = await ipatlas(t, { ...settings, STORE }, 'rollback');
    t.equal(failed.code, 1);
    t.match(failed.stderr, /was changed, the store was not: the next build changes it too/);
    t.equal((await served(output)).id, one);
  },
);

t.test('an invalid STORE_GRACE_HOURS is an error of use', async (t) => {
  const { settings } = storedNights(t);
  const { code, stderr } = await ipatlas(t, { ...settings, STORE_GRACE_HOURS: 'soon' }, 'build');
  t.equal(code, 64);
  t.match(stderr, 'invalid STORE_GRACE_HOURS "soon": expected 0-9999');
});
