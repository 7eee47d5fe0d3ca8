import { cpSync, existsSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import t, { type Test } from 'tap';
import { SNAPSHOT } from '../../fixtures/generate/geolite2.js';
import { PROJECT_ROOT } from '../../fixtures/open-file.js';
import { fromJson } from '../gazetteer/gazetteer-json.js';
import { publishRelease } from '../release/publish-release.js';
import type { ManifestInput } from '../release/contract.js';
import { exampleManifest, makeWorkDir } from '../release/testing/example-release.js';
import { cachedGazetteerOf, gazetteerEdition } from './cache-paths.js';
import { fetchSource } from '../snapshot/take-snapshot.js';
import { gazetteerResultSchema, makeGazetteer, type GazetteerResult } from './gazetteer.js';
import type { StageContext } from '../stage/stage.js';

const ZIP = `geolite2/${SNAPSHOT}.zip`;

/** Makes gazetteers from an input folder with the bundled files into an output folder. */
function nights(t: Test) {
  const dir = t.testdir({ feeds: {}, output: {} });
  const feedsDir = join(dir, 'feeds');
  const outputDir = join(dir, 'output');
  for (const folder of ['gazetteer', 'geolite2']) {
    cpSync(join(PROJECT_ROOT, 'fixtures/feeds', folder), join(feedsDir, folder), { recursive: true });
  }
  const log: string[] = [];
  const night = async (): Promise<GazetteerResult> => {
    const context: StageContext = {
      settings: {
        feedsDir,
        outputDir,
        feeds: ['own'],
        sources: [],
        lists: [],
        datasetFeeds: [],
        began: 0,
        concurrency: 1,
      },
      progress: () => undefined,
      log: (line) => log.push(line),
      children: {},
    };
    const snapshot = await fetchSource({ source: 'gazetteer' }, context);
    const children = { 'fetch:gazetteer': snapshot };
    return gazetteerResultSchema.parse(await makeGazetteer({}, { ...context, children }));
  };
  return { feedsDir, outputDir, log, night };
}

const pathOf = (outputDir: string, { editions }: GazetteerResult, name: 'full' | 'open'): string =>
  gazetteerEdition(join(outputDir, 'cache', editions![name].folder), name);

const edition = (outputDir: string, result: GazetteerResult, name: 'full' | 'open') =>
  fromJson(readFileSync(pathOf(outputDir, result, name), 'utf8'));

t.test('both editions are made, and the manifest lists their inputs', async (t) => {
  const { night, outputDir } = nights(t);
  const result = await night();
  t.same(
    result.inputs.map(({ feed, licence, files }) => [feed, licence.terms, files.length]),
    [
      ['gazetteer', 'free', 4],
      ['gazetteer-iso-3166', 'free', 0],
      ['gazetteer-cldr', 'free', 0],
      ['gazetteer-tz', 'free', 0],
      ['gazetteer-dr5hn', 'share-alike', 2],
      ['gazetteer-geolite2', 'closed', 1],
    ],
  );
  for (const { files, refusals } of result.inputs) {
    t.same(refusals, []);
    for (const { rows, accepted, rejected } of files) t.ok(rows > 0 && rows === accepted + rejected);
  }
  t.ok(edition(outputDir, result, 'full').placeOf(71137));
  t.notOk(edition(outputDir, result, 'open').placeOf(71137), 'a city that only GeoLite2 lists');
  t.not(result.editions!.full.key, result.editions!.open.key);
  t.ok(existsSync(cachedGazetteerOf(outputDir, result.inputs)!), 'found again from the manifest');
});

t.test('equal files are not read again; changed files are', async (t) => {
  const { night, outputDir, feedsDir, log } = nights(t);
  const first = await night();
  const path = pathOf(outputDir, first, 'open');
  const made = statSync(path).ino;
  t.same(await night(), first);
  t.equal(statSync(path).ino, made);
  rmSync(join(feedsDir, 'gazetteer/dr5hn-cities-zh.tsv'));
  t.not((await night()).editions!.full.key, first.editions!.full.key);
  t.same(log, []);
});

t.test('a damaged cached gazetteer is logged and made again', async (t) => {
  const { night, outputDir, log } = nights(t);
  const first = await night();
  const path = pathOf(outputDir, first, 'full');
  const good = readFileSync(path);
  for (const [name, damage] of [
    [
      'torn',
      (file: string) => {
        writeFileSync(file, good.subarray(1));
      },
    ],
    [
      'gone',
      (file: string) => {
        rmSync(file);
      },
    ],
    [
      'without its counts',
      (file: string) => {
        writeFileSync(join(dirname(file), 'summary.json'), '{');
      },
    ],
  ] as const) {
    log.length = 0;
    damage(path);
    t.same(await night(), first, name);
    t.ok(readFileSync(path).equals(good), name);
    t.same(log, ['the cached input of an earlier run is damaged: it is removed and read again'], name);
  }
});

t.test('without any file there is no gazetteer', async (t) => {
  const { night, feedsDir } = nights(t);
  rmSync(feedsDir, { recursive: true });
  const result = await night();
  t.equal(result.editions, undefined);
  t.same(
    result.inputs.flatMap(({ refusals }) =>
      refusals.map(({ refusal, usedInstead }) => [refusal, usedInstead]),
    ),
    [['missing', 'nothing']],
  );
});

t.test('a refused file without a last good copy is left out', async (t) => {
  const { night, feedsDir, outputDir } = nights(t);
  writeFileSync(join(feedsDir, 'gazetteer/cities15000.txt'), '<html></html>');
  const result = await night();
  t.match(result.inputs[0], {
    feed: 'gazetteer',
    refusals: [{ file: 'gazetteer/cities15000.txt', refusal: 'container', usedInstead: 'nothing' }],
  });
  t.notOk(result.inputs[0]?.files.some(({ id }) => id.endsWith('cities15000.txt')));
  t.ok(edition(outputDir, result, 'full').placeOf(1809858), 'GeoLite2 still lists it');
});

t.test(
  'last good copies are those of the last release; for GeoLite2 those that its feed accepted',
  async (t) => {
    const { night, feedsDir, outputDir } = nights(t);
    const first = await night();
    const [zip] = first.inputs.find(({ feed }) => feed === 'gazetteer-geolite2')!.files;
    const good = { ...first.inputs[0]!, feed: 'geolite2', files: [zip!] };
    const cut = (name: string) => {
      const path = join(feedsDir, name);
      const bytes = readFileSync(path);
      writeFileSync(path, bytes.subarray(0, Math.floor(bytes.length * 0.7)));
    };
    cut(ZIP);
    cut('gazetteer/cities15000.txt');
    await release(outputDir, first.inputs);
    const unjudged = await night();
    t.match(refusalsOf(unjudged), [
      { file: 'gazetteer/cities15000.txt', usedInstead: 'last good copy' },
      { file: ZIP, refusal: 'truncated', usedInstead: 'nothing' },
    ]);
    t.notOk(edition(outputDir, unjudged, 'full').placeOf(71137));
    await release(outputDir, [...first.inputs, good], 2);
    const judged = await night();
    t.match(refusalsOf(judged), [{ usedInstead: 'last good copy' }, { usedInstead: 'last good copy' }]);
    t.equal(judged.editions!.full.key, first.editions!.full.key);
    t.ok(judged.inputs.flatMap(({ files }) => files).find(({ id }) => id === ZIP)?.lastGood);
  },
);

t.test('a file that shrank to half is refused', async (t) => {
  const { night, feedsDir, outputDir } = nights(t);
  await release(outputDir, (await night()).inputs);
  const path = join(feedsDir, 'gazetteer/admin1CodesASCII.txt');
  writeFileSync(path, readFileSync(path, 'utf8').split('\n').slice(0, 9).join('\n') + '\n');
  const result = await night();
  t.match(refusalsOf(result), [
    { file: 'gazetteer/admin1CodesASCII.txt', refusal: 'shrunk', usedInstead: 'last good copy' },
  ]);
});

function refusalsOf({ inputs }: GazetteerResult) {
  return inputs.flatMap(({ refusals }) => refusals).sort((a, b) => (a.file < b.file ? -1 : 1));
}

/** Publishes a release that was made from these inputs. */
async function release(outputDir: string, inputs: ManifestInput[], epoch = 1): Promise<void> {
  const manifest = { ...exampleManifest(epoch), inputs };
  await publishRelease({ outputDir, manifest, workDir: makeWorkDir(outputDir, epoch) });
}
