import { rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import t from 'tap';
import { lastRelease } from './last-release.js';
import { publishExample } from './testing/example-release.js';

t.test('the last release is the current one', async (t) => {
  const outputDir = t.testdir({});
  t.same(await lastRelease(outputDir), {});
  await publishExample(outputDir, 200);
  const id = await publishExample(outputDir, 100);
  const { release, damaged } = await lastRelease(outputDir);
  t.match(release, { id, manifest: { id } });
  t.equal(damaged, undefined);
});

t.test(
  'if the current manifest is damaged or missing, the newest readable release is returned with the error',
  async (t) => {
    const outputDir = t.testdir({});
    const ids: string[] = [];
    for (const epoch of [100, 200, 300]) ids.push(await publishExample(outputDir, epoch));
    writeFileSync(join(outputDir, 'current', 'manifest.json'), '{');
    const { release, damaged } = await lastRelease(outputDir);
    t.equal(release?.id, ids[1]);
    t.match(damaged, /manifest\.json: is not JSON/);
    for (const id of ids) rmSync(join(outputDir, 'releases', id), { recursive: true });
    t.match(await lastRelease(outputDir), { release: undefined, damaged: /manifest\.json: does not exist/ });
  },
);

t.test('a current that is not a link to a release is an error', async (t) => {
  const outputDir = t.testdir({ elsewhere: {} });
  symlinkSync('elsewhere', join(outputDir, 'current'));
  await t.rejects(lastRelease(outputDir), { name: 'ReleaseError', message: /not among the releases/ });
});
