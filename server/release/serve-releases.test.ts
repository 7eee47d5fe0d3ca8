import { mkdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import t from 'tap';
import { currentRelease, releaseDir } from '../../pipeline/release/release-store.js';
import { copyRelease, damageFile, linkCurrent } from '../testing/damage.js';
import { SMALL, SMALL_AS } from '../testing/small-records.js';
import { publishSmallRelease, SMALL_BUILD_EPOCH } from '../testing/small-release.js';
import { ServedReleases, type Refusal, type ReleaseSettings } from './serve-releases.js';
import type { Snapshot } from './snapshot.js';

const NEVER_MS = 1_000_000;

/** Creates ServedReleases without polling, and records its callbacks. */
function releasesOf(outputDir: string, settings: Partial<ReleaseSettings> = {}) {
  const callbacks: string[] = [];
  const releases = new ServedReleases({
    outputDir,
    releasePollMs: NEVER_MS,
    onServed: ({ id }) => callbacks.push(`served ${id}`),
    onRefused: ({ id, reason }) => callbacks.push(`refused ${id ?? ''} ${reason}`),
    onError: (error) => callbacks.push(`error ${String(error)}`),
    ...settings,
  });
  return { releases, callbacks };
}

t.test('without a release nothing is served; the first one is found', async (t) => {
  const outputDir = t.testdir();
  const { releases, callbacks } = releasesOf(outputDir);
  await releases.start();
  t.equal(releases.current(), undefined);
  t.equal(releases.refusal(), undefined);
  const id = await publishSmallRelease(outputDir);
  await releases.look();
  t.equal(releases.current()?.id, id);
  await releases.look();
  t.same(callbacks, [`served ${id}`], 'once');
  await releases.stop();
});

t.test('a served release is reported with the time that loading took', async (t) => {
  const outputDir = t.testdir();
  await publishSmallRelease(outputDir);
  const times: number[] = [];
  const { releases } = releasesOf(outputDir, { onServed: (_, loadMs) => times.push(loadMs) });
  const started = performance.now();
  await releases.start();
  const most = performance.now() - started;
  t.equal(times.length, 1);
  t.ok(times[0]! > 0 && times[0]! <= most, `${times[0]!} of ${most} ms`);
  await releases.stop();
});

t.test('a new release is found by polling', async (t) => {
  const outputDir = t.testdir();
  await publishSmallRelease(outputDir);
  const { releases } = releasesOf(outputDir, { releasePollMs: 5 });
  await releases.start();
  const id = await publishSmallRelease(outputDir, { marker: 'two' });
  await until(() => releases.current()?.id === id);
  t.match(releases.current()?.places.get(SMALL.google), { city: { names: { en: 'Mountain View two' } } });
  await releases.stop();
});

t.test('a refused release changes nothing, is reported once, and retried only on request', async (t) => {
  const outputDir = t.testdir();
  const first = await publishSmallRelease(outputDir);
  const refusals: Refusal[] = [];
  const { releases } = releasesOf(outputDir, { onRefused: (refusal) => refusals.push(refusal) });
  await releases.start();
  const second = await publishSmallRelease(outputDir, { marker: 'two' });
  const path = join(releaseDir(outputDir, second), 'geo.mmdb');
  const whole = readFileSync(path);
  damageFile(path, (bytes) => bytes.fill(0, 100, 101 + 30));
  await releases.look();
  t.equal(releases.current()?.id, first);
  t.match(releases.current()?.places.get(SMALL.google), { city: { names: { en: 'Mountain View' } } });
  t.match(releases.refusal(), { id: second, reason: /^geo\.mmdb: has sha256 / });
  t.equal(refusals.length, 1);
  damageFile(path, () => whole);
  await releases.look();
  t.equal(releases.current()?.id, second);
  t.equal(releases.refusal(), undefined);
  await releases.stop();
});

t.test('a refusal is forgotten when the link returns to the served release', async (t) => {
  const outputDir = t.testdir();
  const first = await publishSmallRelease(outputDir);
  const { releases } = releasesOf(outputDir);
  await releases.start();
  const { dir } = (await currentRelease(outputDir))!;
  const bad = '20300101T000000Z-0123456789ab';
  rmSync(join(await copyRelease(dir, bad), 'geo.mmdb'));
  linkCurrent(outputDir, `releases/${bad}`);
  await releases.look();
  t.match(releases.refusal(), { id: bad });
  linkCurrent(outputDir, `releases/${first}`);
  await releases.look();
  t.equal(releases.refusal(), undefined);
  t.equal(releases.current()?.id, first);
  await releases.stop();
});

t.test('polling does not retry a refused release until the link changes', async (t) => {
  const outputDir = t.testdir();
  const first = await publishSmallRelease(outputDir);
  const { dir } = (await currentRelease(outputDir))!;
  const bad = await copyRelease(dir, '20300101T000000Z-0123456789ab');
  rmSync(join(bad, 'geo.mmdb'));
  linkCurrent(outputDir, 'releases/20300101T000000Z-0123456789ab');
  const { releases, callbacks } = releasesOf(outputDir, { releasePollMs: 1 });
  await releases.start();
  await new Promise((resolve) => setTimeout(resolve, 50));
  t.match(callbacks, [/^refused 20300101T000000Z-0123456789ab geo\.mmdb: does not exist$/]);
  t.equal(callbacks.length, 1);
  linkCurrent(outputDir, `releases/${first}`);
  await until(() => releases.current()?.id === first);
  t.equal(releases.refusal(), undefined, 'the older release is served again');
  await releases.stop();
});

t.test('an invalid link is refused, and the old release stays', async (t) => {
  const outputDir = t.testdir();
  const id = await publishSmallRelease(outputDir);
  const { releases, callbacks } = releasesOf(outputDir);
  await releases.start();
  const link = join(outputDir, 'current');
  const cases: readonly (readonly [() => void, RegExp | undefined])[] = [
    [
      () => {
        linkCurrent(outputDir, 'releases/20300101T000000Z-0123456789ab');
      },
      /manifest\.json: does not exist/,
    ],
    [
      () => {
        linkCurrent(outputDir, '/');
      },
      /current: points to \/, which is not among the releases/,
    ],
    [
      () => {
        linkCurrent(outputDir, `../${id}`);
      },
      /current: points to .* not among/,
    ],
    [
      () => {
        linkCurrent(outputDir, `releases/../../x`);
      },
      /current: points to .* not among/,
    ],
    [
      () => {
        rmSync(link);
        mkdirSync(link);
      },
      /current: is not a symlink/,
    ],
    [
      () => {
        rmSync(link, { recursive: true });
      },
      undefined,
    ],
  ];
  for (const [change, reason] of cases) {
    change();
    await releases.look();
    t.equal(releases.current()?.id, id);
    if (reason) t.match(releases.refusal()?.reason, reason);
    else t.equal(releases.refusal(), undefined);
  }
  linkCurrent(outputDir, `releases/${id}`);
  await releases.look();
  t.equal(releases.refusal(), undefined);
  t.equal(callbacks.filter((line) => line.startsWith('served')).length, 1);
  await releases.stop();
});

t.test('checks never overlap, and no release is loaded after stop', async (t) => {
  const outputDir = t.testdir();
  const first = await publishSmallRelease(outputDir);
  const { releases, callbacks } = releasesOf(outputDir);
  await releases.start();
  await publishSmallRelease(outputDir, { marker: 'two' });
  await Promise.all(Array.from({ length: 10 }, () => releases.look()));
  t.equal(callbacks.length, 2, 'loaded once for several requests');
  const served = releases.current();
  await publishSmallRelease(outputDir, { marker: 'three' });
  const late = releases.look();
  await releases.stop();
  await late;
  await releases.look();
  t.equal(releases.current(), served, 'the last release stays readable');
  t.not(served?.id, first);
});

t.test('a release whose load ends after stop is not served', async (t) => {
  const outputDir = t.testdir();
  const first = await publishSmallRelease(outputDir);
  const { releases, callbacks } = releasesOf(outputDir);
  await releases.start();
  await publishSmallRelease(outputDir, { marker: 'two' });
  const late = releases.look();
  // The check has started, and loading needs many turns of the event loop.
  await new Promise((resolve) => setImmediate(resolve));
  await releases.stop();
  await late;
  t.equal(releases.current()?.id, first);
  t.same(callbacks, [`served ${first}`]);
});

t.test('no snapshot mixes two releases, even when they change often', async (t) => {
  const outputDir = t.testdir();
  await publishSmallRelease(outputDir, { marker: 'release0' });
  const { releases } = releasesOf(outputDir);
  await releases.start();
  const swaps = new AbortController();
  let looked = 0;
  const mixed: string[][] = [];
  const lookups = (async () => {
    while (!swaps.signal.aborted) {
      for (let i = 0; i < 50; i++) {
        const markers = [...new Set(markersOf(releases.current()!))];
        if (markers.length !== 1) mixed.push(markers);
        looked++;
      }
      await new Promise((resolve) => setImmediate(resolve));
    }
  })();
  for (let i = 1; i <= 8; i++) {
    await publishSmallRelease(outputDir, {
      marker: `release${i}`,
      buildEpoch: SMALL_BUILD_EPOCH + i,
      keep: 2,
    });
    await releases.look();
    t.same([...new Set(markersOf(releases.current()!))], [`release${i}`]);
  }
  swaps.abort();
  await lookups;
  t.same(mixed, []);
  t.ok(looked > 100);
  await releases.stop();
});

/** Returns the marker in each part of a snapshot's data about one address and its network. */
function markersOf(snapshot: Snapshot): string[] {
  const names = [
    snapshot.places.get(SMALL.google)?.city?.names?.en,
    snapshot.isp.get(SMALL.google)?.isp,
    snapshot.announcers.get(SMALL.google)?.as_name,
    snapshot.routes.get(SMALL.google)?.as_name,
    snapshot.routes.get(SMALL.google)?.parent?.as_name,
    snapshot.networkOf(SMALL_AS.google)?.name,
    snapshot.verdicts.get('dbip')?.get(SMALL.google)?.city,
    snapshot.peering.find('example').nets[0]?.name,
  ];
  return names.map((name) => name?.split(' ').at(-1) ?? 'nothing');
}

/** Waits until a condition is true. Keeps the process alive. */
async function until(isSo: () => boolean): Promise<void> {
  while (!isSo()) await new Promise((resolve) => setTimeout(resolve, 5));
}
