import { appendFileSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import t, { type Test } from 'tap';
import { verifyRelease } from '../release/verify-release.js';
import {
  build,
  copyFeeds,
  copyOutput,
  ipatlas,
  geoPath,
  openGeo,
  outputFolder,
  redisPid,
  served,
  start,
  SIDE_BY_SIDE,
  unfinished,
  untilGone,
  type Ended,
} from './testing/command-line.js';

const EPOCH = '1795046400';
const NEXT_EPOCH = '1795132800';
const OVERRIDE = '9.9.9.0/24,CH,,,,,Quad9,,new tonight\n';

const FEEDS = copyFeeds(t);
const OLD = outputFolder(t);
await build(t, { FEEDS, OUTPUT: OLD, SOURCE_DATE_EPOCH: EPOCH });
appendFileSync(join(FEEDS, 'own/overrides.csv'), OVERRIDE);
const tonight = { FEEDS, SOURCE_DATE_EPOCH: NEXT_EPOCH };

const UNDISTURBED = copyOutput(t, OLD);
await build(t, { ...tonight, OUTPUT: UNDISTURBED });
const oldId = (await served(OLD)).id;
const newId = (await served(UNDISTURBED)).id;

/** Checks that the next run continues the killed one and publishes the same as an undisturbed run. */
async function finishes(t: Test, outputDir: string): Promise<Ended> {
  const ended = await build(t, { ...tonight, OUTPUT: outputDir });
  t.ok(readFileSync(geoPath(outputDir)).equals(readFileSync(geoPath(UNDISTURBED))), 'the same bytes');
  t.same((await served(outputDir)).manifest.inputs, (await served(UNDISTURBED)).manifest.inputs);
  t.match(openGeo(outputDir)('9.9.9.9'), { country: { iso_code: 'CH' } });
  t.same(unfinished(outputDir), []);
  t.equal(await redisPid(outputDir), undefined, 'no Redis is left');
  return ended;
}

/** Checks that the old or the new release is current, and complete. */
async function serves(t: Test, outputDir: string): Promise<void> {
  const { id, dir } = await served(outputDir);
  t.ok([oldId, newId].includes(id), id);
  await verifyRelease(dir);
  t.match(openGeo(outputDir)('1.0.1.1'), { country: { iso_code: 'CN' } });
}

const MOMENTS = [
  'fetch:own: started',
  'ingest:geolite2: started',
  'verdicts:geolite2: started',
  'merge:3-of-8: started',
  'write:served: started',
  'changes:geo: started',
  'compile:geo: started',
  'publish: started',
];

/** Unfinished files that a run killed at other moments may leave. */
const LEFT_BEHIND = [
  'releases/.tmp-work/geo.mmdb',
  'cache/files/.tmp-1-ab',
  'cache/tables/own-12.tmp-7/x',
  'cache/parts/score-12.tmp-7/x',
];

// Each run starts from the remains of all runs before it, including their Redis.
t.test('a build killed at any moment leaves a complete release', async (t) => {
  const OUTPUT = copyOutput(t, OLD);
  const orphans: number[] = [];
  for (const moment of MOMENTS) {
    t.comment(`killed at "${moment}"`);
    const { child, saw, ended } = start(t, { ...tonight, ...SIDE_BY_SIDE, OUTPUT }, 'build');
    await saw(moment);
    child.kill('SIGKILL');
    await ended;
    await serves(t, OUTPUT);
    const orphan = await redisPid(OUTPUT);
    if (orphan !== undefined) orphans.push(orphan);
  }
  for (const path of LEFT_BEHIND) {
    mkdirSync(dirname(join(OUTPUT, path)), { recursive: true });
    writeFileSync(join(OUTPUT, path), 'half a fi');
  }
  const { stderr } = await finishes(t, OUTPUT);
  const { deltas } = (await served(OUTPUT)).manifest;
  t.ok(deltas);
  t.same(deltas, (await served(UNDISTURBED)).manifest.deltas);
  t.match(stderr, 'ingest:geolite2: unchanged', 'finished work is not repeated');
  for (const orphan of orphans) await untilGone(orphan);
});

t.test('after a killed first build there is no release until the next run', async (t) => {
  const OUTPUT = outputFolder(t);
  const { child, saw, ended } = start(t, { ...tonight, ...SIDE_BY_SIDE, OUTPUT }, 'build');
  await saw('gazetteer: started');
  const redis = await redisPid(OUTPUT);
  child.kill('SIGKILL');
  t.equal((await ended).code, 'SIGKILL');
  t.type(redis, 'number');
  t.equal(await redisPid(OUTPUT), redis, 'its Redis is an orphan');
  t.notOk(existsSync(geoPath(OUTPUT)));
  await finishes(t, OUTPUT);
  await untilGone(redis!);
});

t.test('after a kill between rename and symlink swap the finished release is used', async (t) => {
  const OUTPUT = copyOutput(t, UNDISTURBED);
  await ipatlas(t, { OUTPUT }, 'release', oldId);
  t.equal((await served(OUTPUT)).id, oldId);
  await finishes(t, OUTPUT);
  t.equal((await served(OUTPUT)).id, newId);
});

t.test('a build stopped by a signal says so, keeps the old release and stops its Redis', async (t) => {
  const OUTPUT = copyOutput(t, OLD);
  const { child, saw, ended } = start(t, { ...tonight, ...SIDE_BY_SIDE, OUTPUT }, 'build');
  await saw('fetch:own: started');
  child.kill('SIGTERM');
  const { code, stderr } = await ended;
  t.equal(code, 143);
  t.match(stderr, /^ipatlas: stopped by SIGTERM\n$/m);
  t.equal((await served(OUTPUT)).id, oldId);
  t.equal(await redisPid(OUTPUT), undefined);
});
