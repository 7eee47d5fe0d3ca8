import { rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import t from 'tap';
import { lastRelease } from './last-release.js';
import { publishExample } from './testing/example-release.js';

t.test('the last release is the one that serves', async (t) => {
  const outputDir = t.testdir({});
  t.same(await lastRelease(outputDir), {});
  await publishExample(outputDir, 200);
  const id = await publishExample(outputDir, 100);
  const { release, damaged } = await lastRelease(outputDir);
  t.match(release, { id, manifest: { id } });
  t.equal(damaged, undefined);
});

t.test(
  'where its manifest is damaged or gone, it is the newest that can be read, and that is told',
  async (t) => {
    const outputDir = t.testdir({});
    const ids: string[] = [];
    for (const epoch of [100, 200, 300]) ids.push(await publishExample(outputDir, epoch));
    writeFileSync(join(outputDir, 'current', 'manifest.json'), '{');
    const { release, damaged } = await lastRelease(outputDir);
    t.equal(release?.id, ids[1]);
    t.match(damaged, /manifest\.json: is not JSON/);
    for (const id of ids) rmSync(join(outputDir, 'releases', id), { recursive: true });
    t.match(await lastRelease(outputDir), { release: undefined, damaged: /manifest\.json: is not there/ });
  },
);

t.test('says no to a link that somebody has made', async (t) => {
  const outputDir = t.testdir({ elsewhere: {} });
  symlinkSync('elsewhere', join(outputDir, 'current'));
  await t.rejects(lastRelease(outputDir), { name: 'ReleaseError', message: /not among the releases/ });
});
