import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import t from 'tap';
import { currentId } from './release-store.js';
import { exampleManifest, publishExample } from './testing/example-release.js';
import { rollback } from './rollback.js';
import { verifyFiles } from './verify-release.js';

async function withReleases(outputDir: string): Promise<string[]> {
  const ids: string[] = [];
  for (const epoch of [100, 200, 300]) ids.push(await publishExample(outputDir, epoch));
  return ids;
}

t.test('goes back one release at a time, and to any that is named', async (t) => {
  const outputDir = t.testdir({});
  const [first, second, third] = await withReleases(outputDir);
  t.same(await rollback(outputDir), { from: third, to: second });
  t.same(await rollback(outputDir), { from: second, to: first });
  t.equal(await currentId(outputDir), first);
  t.same(await rollback(outputDir, third), { from: first, to: third });
  t.equal(await currentId(outputDir), third);
});

t.test('works when the current release is damaged or missing', async (t) => {
  const outputDir = t.testdir({});
  const [first, second, third] = await withReleases(outputDir);
  writeFileSync(join(outputDir, 'releases', third!, 'manifest.json'), '');
  t.same(await rollback(outputDir), { from: third, to: second });
  rmSync(join(outputDir, 'releases', second!), { recursive: true });
  t.same(await rollback(outputDir), { from: second, to: first });
});

t.test('lists the releases when there is none to roll back to', async (t) => {
  const outputDir = t.testdir({});
  await t.rejects(rollback(outputDir), {
    name: 'ReleaseError',
    message: /no current release .*; there are none/,
  });
  const id = await publishExample(outputDir, 100);
  await t.rejects(rollback(outputDir), {
    message: new RegExp(`no release older than ${id}; available: ${id}`),
  });
  t.equal(await currentId(outputDir), id);
});

t.test('lists the releases when the named one is unknown', async (t) => {
  const outputDir = t.testdir({});
  const ids = await withReleases(outputDir);
  writeFileSync(join(outputDir, 'releases', ids[0]!, 'manifest.json'), '');
  for (const unknown of [exampleManifest(400).id, '', '..', `../releases/${ids[1]!}`]) {
    await t.rejects(rollback(outputDir, unknown), {
      name: 'ReleaseError',
      message: new RegExp(`has no release .*; available: ${ids[2]!}, ${ids[1]!}, ${ids[0]!} \\(damaged\\)`),
    });
  }
});

t.test('never points current at a damaged release', async (t) => {
  const outputDir = t.testdir({});
  const [first, second, third] = await withReleases(outputDir);
  writeFileSync(join(outputDir, 'releases', second!, 'geo.mmdb'), 'geo of 2O0');
  await t.rejects(rollback(outputDir), { message: /geo\.mmdb: has sha256/ });
  writeFileSync(join(outputDir, 'releases', first!, 'manifest.json'), '[]');
  await t.rejects(rollback(outputDir, first), { message: /is damaged: .*manifest\.json/ });
  t.equal(await currentId(outputDir), third);
});

t.test(
  'a release whose folder was removed after its manifest was read is an error of the release',
  async (t) => {
    const dir = join(t.testdir({}), 'releases', 'pruned');
    await t.rejects(verifyFiles(dir, []), { name: 'ReleaseError', path: dir, found: 'does not exist' });
  },
);
