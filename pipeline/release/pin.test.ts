import { existsSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import t from 'tap';
import { readPin } from './pin.js';
import { publishRelease } from './publish-release.js';
import { currentId, listReleases } from './release-store.js';
import { release, rollback, unpin } from './rollback.js';
import { exampleManifest, makeWorkDir, publishExample } from './testing/example-release.js';

/** Publishes a release with this text; the id, and the release that is held instead. */
async function publishText(
  outputDir: string,
  epoch: number,
  text: string,
  keep = 2,
): Promise<{ id: string; held?: string }> {
  const workDir = makeWorkDir(outputDir, epoch, text);
  return publishRelease({ outputDir, manifest: exampleManifest(epoch, text), workDir, keep });
}

t.test('a rollback holds: later releases do not become current', async (t) => {
  const outputDir = t.testdir({});
  const good = await publishExample(outputDir, 100);
  const bad = await publishExample(outputDir, 200);
  await rollback(outputDir);
  t.match(await readPin(outputDir), { release: good, until: 'released', rejected: [{ id: bad }] });
  for (const epoch of [300, 400, 500]) {
    t.match(await publishText(outputDir, epoch, 'new'), { held: good });
    t.equal(await currentId(outputDir), good);
  }
});

t.test('release makes another release current and ends the hold', async (t) => {
  const outputDir = t.testdir({});
  const good = await publishExample(outputDir, 100);
  await publishExample(outputDir, 200);
  await rollback(outputDir);
  const { id } = await publishText(outputDir, 300, 'repaired');
  t.same(await release(outputDir, id), { from: good, to: id });
  t.equal(await readPin(outputDir), undefined);
  t.equal(await currentId(outputDir), id);
  await t.rejects(release(outputDir, 'nonsense'), {
    name: 'ReleaseError',
    message: /has no release nonsense/,
  });
});

t.test('unpin leaves the current release until the next publication', async (t) => {
  const outputDir = t.testdir({});
  const good = await publishExample(outputDir, 100);
  await publishExample(outputDir, 200);
  t.equal(await unpin(outputDir), false, 'nothing is pinned');
  await rollback(outputDir);
  t.equal(await unpin(outputDir), true);
  t.equal(await currentId(outputDir), good);
  const { id, held } = await publishText(outputDir, 300, 'new');
  t.equal(held, undefined);
  t.equal(await currentId(outputDir), id);
});

t.test('a rollback until the next release holds against the same content only', async (t) => {
  const outputDir = t.testdir({});
  const good = await publishText(outputDir, 100, 'good');
  await publishText(outputDir, 200, 'bad');
  await rollback(outputDir, undefined, 'next');
  t.match(await publishText(outputDir, 300, 'bad'), { held: good.id });
  const repaired = await publishText(outputDir, 400, 'repaired');
  t.equal(repaired.held, undefined);
  t.equal(await currentId(outputDir), repaired.id);
  t.equal(await readPin(outputDir), undefined);
});

t.test('two rollbacks in a row reject both releases; a rejected one that is named is accepted', async (t) => {
  const outputDir = t.testdir({});
  const [first, second, third] = [
    await publishText(outputDir, 100, 'first'),
    await publishExample(outputDir, 200),
    await publishExample(outputDir, 300),
  ];
  await rollback(outputDir, undefined, 'next');
  await rollback(outputDir, first.id, 'next');
  t.match(await readPin(outputDir), { release: first.id, rejected: [{ id: third }, { id: second }] });
  await rollback(outputDir, third);
  t.match(await readPin(outputDir), { release: third, rejected: [{ id: second }, { id: first.id }] });
});

t.test('the pinned and the rejected releases are never pruned', async (t) => {
  const outputDir = t.testdir({});
  const good = await publishText(outputDir, 100, 'good');
  const bad = await publishText(outputDir, 200, 'bad');
  await rollback(outputDir);
  let newest = '';
  for (const epoch of [300, 400, 500]) newest = (await publishText(outputDir, epoch, `new ${epoch}`)).id;
  t.same(readdirSync(join(outputDir, 'releases')).sort(), [good.id, bad.id, newest].sort());
  await unpin(outputDir);
  const next = await publishText(outputDir, 600, 'next');
  t.same(readdirSync(join(outputDir, 'releases')).sort(), [newest, next.id].sort());
});

t.test('a damaged pin stops publications with its path, and unpin removes it', async (t) => {
  const outputDir = t.testdir({});
  const id = await publishExample(outputDir, 100);
  writeFileSync(join(outputDir, 'pin.json'), '{');
  await t.rejects(publishText(outputDir, 200, 'new'), {
    name: 'ReleaseError',
    message: /pin\.json: is not a pin; "ipatlas unpin" removes it/,
  });
  t.equal(await currentId(outputDir), id);
  t.equal(await unpin(outputDir), true);
  t.equal((await publishText(outputDir, 300, 'new')).held, undefined);
});

t.test(
  'rollbacks during publications that prune end with a whole current release, or with an error',
  async (t) => {
    const outputDir = t.testdir({});
    for (const epoch of [100, 200]) await publishText(outputDir, epoch, `text ${epoch}`);
    const publications = (async () => {
      for (let epoch = 300; epoch < 330; epoch += 1) await publishText(outputDir, epoch, `text ${epoch}`, 1);
    })();
    let [moved, refused] = [0, 0];
    const rollbacks = (async () => {
      while (moved + refused < 60) {
        const target = (await listReleases(outputDir)).at(-1)!.id;
        await release(outputDir, target).then(
          () => (moved += 1),
          (error: unknown) => {
            t.match(error, { name: 'ReleaseError' });
            refused += 1;
          },
        );
        const id = (await currentId(outputDir))!;
        t.ok(existsSync(join(outputDir, 'releases', id, 'manifest.json')), `${id} is there`);
      }
    })();
    await Promise.all([publications, rollbacks]);
    t.ok(moved > 0);
  },
);
