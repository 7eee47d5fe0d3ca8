import { spawnSync } from 'node:child_process';
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import t from 'tap';
import type { Manifest } from './contract.js';
import { sweep } from './prune-releases.js';
import { PUBLISH_STEPS, publishRelease, type PublishStep } from './publish-release.js';
import {
  currentRelease,
  encodeManifest,
  keptManifests,
  listReleases,
  type Release,
} from './release-store.js';
import { renderReport } from './report/render-report.js';
import {
  datasetsWith,
  exampleManifest,
  exampleScorecard,
  makeWorkDir,
  publishExample,
} from './testing/example-release.js';
import { releaseTrend } from './trend.js';
import { verifyRelease } from './verify-release.js';

/** Returns the current release, checked against its manifest. */
async function served(outputDir: string): Promise<Release> {
  const current = await currentRelease(outputDir);
  await verifyRelease(current!.dir);
  return current!;
}

async function ids(outputDir: string): Promise<string[]> {
  return (await listReleases(outputDir)).map(({ id }) => id);
}

t.test('a published release becomes current, whole and with its manifest', async (t) => {
  const outputDir = t.testdir({});
  const steps: PublishStep[] = [];
  const manifest = exampleManifest(100);
  const workDir = makeWorkDir(outputDir, 100);
  const published = await publishRelease({
    outputDir,
    manifest,
    workDir,
    onStep: (step) => void steps.push(step),
  });
  t.same(published, {
    id: manifest.id,
    dir: join(outputDir, 'releases', manifest.id),
    alreadyThere: false,
    removed: [],
  });
  t.equal((await served(outputDir)).id, manifest.id);
  t.equal(readFileSync(join(outputDir, 'current', 'manifest.json'), 'utf8'), encodeManifest(manifest));
  t.same(readdirSync(outputDir).sort(), ['current', 'current.lock', 'releases']);
  t.same(
    steps,
    PUBLISH_STEPS.filter((step) => step !== 'set aside'),
    'nothing was removed',
  );
});

t.test('a release has a report, compared with the one before', async (t) => {
  const outputDir = t.testdir({});
  const reportOf = (id: string): string =>
    readFileSync(join(outputDir, 'releases', id, 'report.html'), 'utf8');
  const ids = [await publishExample(outputDir, 100), await publishExample(outputDir, 200)];
  const [first, second] = [100, 200].map((epoch) => exampleManifest(epoch));
  t.equal(reportOf(ids[0]!), renderReport({ manifest: first! }));
  t.equal(reportOf(ids[1]!), renderReport({ manifest: second!, last: first, trend: [first!, second!] }));
});

t.test('the report has the trend of the releases that are kept, from the oldest on', async (t) => {
  const outputDir = t.testdir({});
  const scored = (epoch: number): Manifest => ({
    ...exampleManifest(epoch),
    datasets: datasetsWith(exampleScorecard()),
  });
  const epochs = [100_000, 200_000, 300_000, 400_000];
  for (const epoch of epochs) {
    const workDir = makeWorkDir(outputDir, epoch);
    await publishRelease({ outputDir, manifest: scored(epoch), workDir, keep: 3 });
  }
  const [, second, third, fourth] = epochs.map(scored);
  const trend = releaseTrend(fourth!, [third!, second!]);
  t.same(
    trend.map(({ buildEpoch }) => buildEpoch),
    epochs.slice(1),
  );
  t.equal(
    readFileSync(join(outputDir, 'current', 'report.html'), 'utf8'),
    renderReport({ manifest: fourth!, last: third, trend }),
  );
  t.same(
    (await keptManifests(outputDir, fourth!.id)).map(({ id }) => id),
    [third!.id, second!.id],
  );
});

t.test('a release is whole with another report, or without one', async (t) => {
  const outputDir = t.testdir({});
  const id = await publishExample(outputDir, 100);
  const path = join(outputDir, 'releases', id, 'report.html');
  writeFileSync(path, 'written by hand');
  await served(outputDir);
  rmSync(path);
  t.equal((await served(outputDir)).id, id);
  mkdirSync(path);
  writeFileSync(join(path, 'x'), '');
  await t.rejects(served(outputDir), { message: /report\.html\/x: is not in the manifest/ });
});

t.test('keeps the newest releases, and always the current one', async (t) => {
  const outputDir = t.testdir({});
  const published: string[] = [];
  for (const epoch of [100, 200, 300, 400]) published.push(await publishExample(outputDir, epoch, 3));
  t.same(await ids(outputDir), published.slice(1).reverse());
  const old = await publishExample(outputDir, 50, 3);
  t.same(await ids(outputDir), [published[3], published[2], old]);
  t.equal((await served(outputDir)).id, old);
  const only = await publishExample(outputDir, 500, 1);
  t.same(await ids(outputDir), [only]);
});

t.test(
  'what a killed run left behind stops neither the removal of releases nor the switch of current',
  async (t) => {
    const outputDir = t.testdir({});
    const first = await publishExample(outputDir, 100, 1);
    mkdirSync(join(outputDir, 'releases', `.tmp-pruned-${first}`, 'sources'), { recursive: true });
    symlinkSync('releases/nothing', join(outputDir, `.tmp-current-${process.pid}`));
    const second = await publishExample(outputDir, 200, 1);
    t.equal((await served(outputDir)).id, second);
    t.same(await ids(outputDir), [second]);
  },
);

t.test('a damaged release does not count and is not removed', async (t) => {
  const outputDir = t.testdir({});
  const first = await publishExample(outputDir, 100);
  writeFileSync(join(outputDir, 'releases', first, 'manifest.json'), '{}');
  for (const epoch of [200, 300, 400]) await publishExample(outputDir, epoch, 2);
  t.equal((await ids(outputDir)).length, 3);
  t.ok(existsSync(join(outputDir, 'releases', first)));
});

t.test('publishing the same release again succeeds, with or without the work folder', async (t) => {
  const outputDir = t.testdir({});
  const first = await publishExample(outputDir, 100);
  await publishExample(outputDir, 200);
  const manifest = exampleManifest(100);
  const gates = [{ name: 'row counts', passed: true, found: 'measured against another release', bound: '' }];
  const deltas = [{ file: 'download/geo.mmdb', session: '0'.repeat(32), serial: 2, deltas: [] }];
  const compared = { ...manifest, gates, deltas };
  const again = await publishRelease({ outputDir, manifest: compared, workDir: '/nowhere' });
  t.match(again, { id: first, alreadyThere: true });
  t.equal((await served(outputDir)).id, first);
});

t.test('another release with the same id is an error', async (t) => {
  const outputDir = t.testdir({});
  await publishExample(outputDir, 100);
  const workDir = makeWorkDir(outputDir, 100);
  const manifest = { ...exampleManifest(100), generator: 'another' };
  await t.rejects(publishRelease({ outputDir, manifest, workDir }), {
    name: 'ReleaseError',
    message: /another release with this id/,
  });
});

t.test('a damaged release with the same id is replaced, current or not', async (t) => {
  const damages = [
    ['geo.mmdb', 'geo of 1O0'],
    ['manifest.json', '{}'],
    ['asn.mmdb', 'in no manifest'],
  ] as const;
  for (const [file, bytes] of damages) {
    for (const later of [[], [200]]) {
      const outputDir = t.testdir({});
      const id = await publishExample(outputDir, 100);
      for (const epoch of later) await publishExample(outputDir, epoch);
      writeFileSync(join(outputDir, 'releases', id, file), bytes);
      const workDir = makeWorkDir(outputDir, 100);
      const published = await publishRelease({ outputDir, manifest: exampleManifest(100), workDir });
      t.match(published, { id, alreadyThere: false }, file);
      t.equal((await served(outputDir)).id, id, file);
      t.equal(
        readdirSync(join(outputDir, 'releases')).length,
        1 + later.length,
        'the damaged folder is removed',
      );
    }
  }
});

t.test('a damaged release stays until the release that replaces it is verified', async (t) => {
  const outputDir = t.testdir({});
  const id = await publishExample(outputDir, 100);
  writeFileSync(join(outputDir, 'releases', id, 'geo.mmdb'), 'geo of 1O0');
  const workDir = makeWorkDir(outputDir, 100, 'torn');
  const publication = { outputDir, manifest: exampleManifest(100), workDir };
  await t.rejects(publishRelease(publication), { message: /geo\.mmdb: has 4 bytes/ });
  t.ok(existsSync(join(outputDir, 'current', 'geo.mmdb')));
});

t.test('files that differ from the manifest are an error, and the old release stays', async (t) => {
  const outputDir = t.testdir({});
  const old = await publishExample(outputDir, 100);
  const cases: [string, (dir: string) => void, RegExp][] = [
    [
      'a truncated file',
      (dir) => {
        writeFileSync(join(dir, 'geo.mmdb'), 'geo of 20');
      },
      /has 9 bytes, expected 10/,
    ],
    [
      'a flipped byte',
      (dir) => {
        writeFileSync(join(dir, 'geo.mmdb'), 'geo of 201');
      },
      /has sha256 .*, expected/,
    ],
    [
      'an additional file',
      (dir) => {
        writeFileSync(join(dir, 'asn.mmdb'), '');
      },
      /asn\.mmdb: is not in the manifest/,
    ],
    [
      'a hidden file',
      (dir) => {
        writeFileSync(join(dir, '.x'), '');
      },
      /\.x: is not in the manifest/,
    ],
    [
      'a link',
      (dir) => {
        symlinkSync('geo.mmdb', join(dir, 'asn.mmdb'));
      },
      /neither a file nor a folder/,
    ],
  ];
  for (const [name, damage, message] of cases) {
    const workDir = makeWorkDir(outputDir, 200);
    damage(workDir);
    const publication = { outputDir, manifest: exampleManifest(200), workDir };
    await t.rejects(publishRelease(publication), { name: 'ReleaseError', message }, name);
    t.equal((await served(outputDir)).id, old);
    t.same(await sweep(outputDir), ['.tmp-work-200']);
  }
  const empty = join(outputDir, 'releases', '.tmp-empty');
  mkdirSync(empty);
  const publication = { outputDir, manifest: exampleManifest(200), workDir: empty };
  await t.rejects(publishRelease(publication), { message: /geo\.mmdb: does not exist/ });
  t.same(await ids(outputDir), [old]);
});

t.test('a release that failed a gate is not published', async (t) => {
  const outputDir = t.testdir({});
  const workDir = makeWorkDir(outputDir, 100);
  const gates = [{ name: 'coverage', passed: false, found: 'half', bound: 'all' }];
  const manifest = { ...exampleManifest(100), gates };
  await t.rejects(publishRelease({ outputDir, manifest, workDir }), {
    message: /failed its gates: coverage/,
  });
  t.same(await ids(outputDir), []);
});

t.test('an id that does not match build epoch and key fails an assertion', async (t) => {
  const outputDir = t.testdir({});
  const manifest = { ...exampleManifest(100), buildEpoch: 101 };
  await t.rejects(publishRelease({ outputDir, manifest, workDir: outputDir }), { code: 'ERR_ASSERTION' });
});

t.test('sweep removes only unfinished files and folders', async (t) => {
  const outputDir = t.testdir({ '.tmp-current-1': '', cache: { '.tmp-x': '' } });
  const id = await publishExample(outputDir, 100);
  makeWorkDir(outputDir, 200);
  t.same(await sweep(outputDir), ['.tmp-current-1', '.tmp-work-200']);
  t.same(await sweep(outputDir), []);
  t.equal((await served(outputDir)).id, id);
  t.ok(existsSync(join(outputDir, 'cache', '.tmp-x')));
  t.same(await sweep(join(outputDir, 'nowhere')), []);
});

for (const killedAt of PUBLISH_STEPS) {
  t.test(
    `killed with -9 at "${killedAt}", a whole release is served and the next run publishes`,
    async (t) => {
      const outputDir = t.testdir({});
      const old = [await publishExample(outputDir, 100), await publishExample(outputDir, 200)];
      makeWorkDir(outputDir, 300);
      const child = publishInChild(outputDir, killedAt);
      t.equal(child.signal, 'SIGKILL', child.stderr);
      const wanted = exampleManifest(300).id;
      const isServed = PUBLISH_STEPS.indexOf(killedAt) >= PUBLISH_STEPS.indexOf('served');
      t.equal((await served(outputDir)).id, isServed ? wanted : old[1]);
      for (const release of await listReleases(outputDir)) await verifyRelease(release.dir);

      await sweep(outputDir);
      const id = await publishExample(outputDir, 300, 2);
      t.equal(id, wanted);
      t.equal((await served(outputDir)).id, wanted);
      t.same(await ids(outputDir), [wanted, old[1]]);
      await sweep(outputDir);
      t.same(readdirSync(join(outputDir, 'releases')).sort(), [old[1], wanted].sort());
      t.same(readdirSync(outputDir).sort(), ['current', 'current.lock', 'releases']);
    },
  );
}

/** Publishes the example of epoch 300 in a process that is killed after a step. */
function publishInChild(outputDir: string, killedAt: PublishStep) {
  const program = `
    import { publishRelease } from ${JSON.stringify(new URL('publish-release.js', import.meta.url))};
    import { exampleManifest, makeWorkDir } from ${JSON.stringify(new URL('testing/example-release.js', import.meta.url))};
    const outputDir = ${JSON.stringify(outputDir)};
    await publishRelease({
      outputDir,
      manifest: exampleManifest(300),
      workDir: makeWorkDir(outputDir, 300),
      keep: 2,
      onStep: (step) => { if (step === ${JSON.stringify(killedAt)}) process.kill(process.pid, 'SIGKILL'); },
    });`;
  return spawnSync(process.execPath, ['--input-type=module', '--eval', program], { encoding: 'utf8' });
}
