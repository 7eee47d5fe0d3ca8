import { mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import t, { type Test } from 'tap';
import type { Dataset, ManifestRefusal } from '../release/contract.js';
import { sha256Text } from '../release/digest.js';
import { currentRelease, type Release } from '../release/release-store.js';
import { exampleFile, exampleInput } from '../release/testing/example-release.js';
import { verifyRelease } from '../release/verify-release.js';
import type { CompileResult, DatasetPlan } from '../datasets/dataset-plan.js';
import { workDirOf } from '../datasets/dataset-folder.js';
import { buildResultSchema, publish } from './publish.js';
import type { BuildSettings } from '../stage/settings.js';
import type { StageContext } from '../stage/stage.js';
import { unchangedDataset } from '../datasets/unchanged-dataset.js';

const REFUSAL: ManifestRefusal = {
  file: 'own/x.csv',
  refusal: 'truncated',
  found: 'ends early',
  usedInstead: 'nothing',
};
const CANARY = { ip: '10.0.0.1', passed: true, expected: 'no record', found: 'no record' };

/** The file, index and source of each dataset. */
const NAMES = {
  geo: { feed: 'own', file: 'geo.mmdb', index: undefined },
  routing: { feed: 'rib', file: 'asn.mmdb', index: 'peering.json' },
  isp: { feed: 'tor', file: 'isp.mmdb', index: undefined },
} as const;

/**
 * Publishes builds into one output folder. A dataset is a line of text, and is reused if the current release contains
 * it.
 */
function nights(t: Test) {
  const outputDir = t.testdir();
  const log: string[] = [];
  let began = 1_000;
  const night = async (
    texts: Partial<Record<Dataset, string>>,
    { refusals = [], ...more }: Partial<BuildSettings> & { refusals?: ManifestRefusal[] } = {},
  ) => {
    began += 1_000;
    log.length = 0;
    const settings: BuildSettings = {
      feedsDir: 'none',
      outputDir,
      feeds: ['own'],
      sources: ['rib'],
      lists: [],
      datasetFeeds: [],
      began,
      concurrency: 1,
      ...more,
    };
    const context: StageContext = {
      settings,
      progress: () => undefined,
      log: (line) => log.push(line),
      children: {},
    };
    const results: CompileResult[] = [];
    for (const [dataset, text] of Object.entries(texts) as [Dataset, string][]) {
      results.push(await compiled(dataset, { text, refusals, context }));
    }
    const children = Object.fromEntries(results.map((result) => [`compile:${result.dataset}`, result]));
    const result = buildResultSchema.parse(await publish({}, { ...context, children }));
    const release = await served(outputDir);
    await verifyRelease(release.dir);
    const unfinished = readdirSync(join(outputDir, 'releases')).filter((name) => name.startsWith('.tmp-'));
    return { ...result, release, unfinished };
  };
  return { outputDir, log, night };
}

async function served(outputDir: string): Promise<Release> {
  const release = await currentRelease(outputDir);
  if (!release) throw new Error('no current release');
  return release;
}

interface Making {
  readonly text: string;
  readonly refusals: ManifestRefusal[];
  readonly context: StageContext;
}

/** Returns the result of a compile job. */
async function compiled(dataset: Dataset, { text, refusals, context }: Making): Promise<CompileResult> {
  const { feed } = NAMES[dataset];
  const inputs = [{ ...exampleInput(feed, 100), refusals }];
  const key = sha256Text(`${dataset} ${text}`);
  const plan: DatasetPlan = { key, inputs, compile: () => Promise.reject(new Error('compiled elsewhere')) };
  return (await unchangedDataset(dataset, plan, context)) ?? write(dataset, { text, plan, context });
}

function write(
  dataset: Dataset,
  { text, plan, context }: Omit<Making, 'refusals'> & { readonly plan: DatasetPlan },
): CompileResult {
  const { settings } = context;
  const { file: name, index } = NAMES[dataset];
  const dir = workDirOf(settings.outputDir, { dataset, key: plan.key });
  const buildEpoch = settings.sourceDateEpoch ?? settings.began;
  const file = { ...exampleFile(text), name, buildEpoch, databaseType: 'ipatlas-Example' };
  const { terms, attributions, sizeBytes, sha256 } = file;
  for (const one of index === undefined ? [name] : [name, index]) {
    mkdirSync(dirname(join(dir, one)), { recursive: true });
    writeFileSync(join(dir, one), text);
  }
  const good = { passed: true, found: 'good' };
  return {
    dataset,
    key: plan.key,
    inputs: [...plan.inputs],
    files: [{ file, examination: { tree: good, schema: good, canaries: [CANARY] } }],
    indexes:
      index === undefined
        ? []
        : [{ name: index, kind: 'index', sources: ['rib'], terms, attributions, sizeBytes, sha256 }],
    counters: { 'routes.ipv4': 600 },
  };
}

const inodeOf = ({ dir }: Release, name: string): number => statSync(join(dir, name)).ino;

t.test('two datasets become one release that lists the inputs of each', async (t) => {
  const { night } = nights(t);
  const { published, release, unfinished } = await night({ geo: 'places', routing: 'routes' });
  t.ok(published);
  t.same(unfinished, []);
  const { manifest } = release;
  t.match(manifest.datasets, {
    geo: { key: sha256Text('geo places'), files: ['geo.mmdb'] },
    routing: { files: ['asn.mmdb', 'peering.json'], counters: { 'routes.ipv4': 600 } },
  });
  t.same(
    manifest.inputs.map(({ feed }) => feed),
    ['own', 'rib'],
  );
  t.match(manifest.indexes, [{ name: 'peering.json', kind: 'index' }]);
  t.equal(readFileSync(join(release.dir, 'peering.json'), 'utf8'), 'routes');
});

t.test('without changes nothing is published; with another date everything is', async (t) => {
  const { night, log } = nights(t);
  const first = await night({ geo: 'places', routing: 'routes' });
  const again = await night({ geo: 'places', routing: 'routes' });
  t.match(again, { id: first.id, published: false });
  t.match(log, [/^unchanged: release .* same inputs$/, /^unchanged/]);
  const dated = await night({ geo: 'places', routing: 'routes' }, { sourceDateEpoch: 9 });
  t.match(dated, { published: true, release: { manifest: { buildEpoch: 9 } } });
  t.ok(dated.release.manifest.files.every(({ buildEpoch }) => buildEpoch === 9));
  t.match(await night({ geo: 'places', routing: 'routes' }, { sourceDateEpoch: 9 }), { published: false });
  t.match(await night({ geo: 'places', routing: 'routes' }, { force: true }), { published: true });
});

t.test('an unchanged dataset is taken from the current release', async (t) => {
  const { night } = nights(t);
  const first = await night({ geo: 'places', routing: 'routes' });
  const second = await night({ geo: 'places', routing: 'newer routes' });
  t.ok(second.published);
  t.not(second.id, first.id);
  t.equal(inodeOf(second.release, 'geo.mmdb'), inodeOf(first.release, 'geo.mmdb'), 'the file is hard-linked');
  t.not(inodeOf(second.release, 'asn.mmdb'), inodeOf(first.release, 'asn.mmdb'));
  const { files, datasets, gates } = second.release.manifest;
  t.same(files[0], first.release.manifest.files[0]);
  t.same(datasets!.geo, first.release.manifest.datasets!.geo);
  t.match(gates[0]!.found, `geo.mmdb: unchanged since ${first.id}`);
  rmSync(first.release.dir, { recursive: true });
  await t.resolves(verifyRelease(second.release.dir), 'the new release does not need the older one');
});

t.test('a new refusal makes a new release of the same files', async (t) => {
  const { night } = nights(t);
  const first = await night({ geo: 'places', routing: 'routes' });
  const refusing = { refusals: [REFUSAL], acceptedGates: ['canaries' as const] };
  const second = await night({ geo: 'places', routing: 'routes' }, refusing);
  t.ok(second.published);
  t.same(second.refusals, [REFUSAL], 'reported once, although both datasets have it');
  for (const name of ['geo.mmdb', 'asn.mmdb', 'peering.json']) {
    t.equal(inodeOf(second.release, name), inodeOf(first.release, name), name);
  }
  t.match(await night({ geo: 'places', routing: 'routes' }, refusing), { published: false });
});

t.test('a damaged file is logged, and only its dataset is made again', async (t) => {
  for (const [name, whole] of [
    ['asn.mmdb', 'geo.mmdb'],
    ['peering.json', 'geo.mmdb'],
    ['geo.mmdb', 'asn.mmdb'],
  ] as const) {
    const { night, log } = nights(t);
    const first = await night({ geo: 'places', routing: 'routes' });
    writeFileSync(join(first.release.dir, name), 'torn');
    const second = await night({ geo: 'places', routing: 'routes' });
    t.equal(log.filter((line) => line.includes('the current release is damaged')).length, 1, name);
    t.ok(second.published);
    t.equal(inodeOf(second.release, whole), inodeOf(first.release, whole), `${name}: ${whole} is kept`);
  }
});

t.test('an unlisted file in the current release leads to a new release without it', async (t) => {
  const { night, log } = nights(t);
  const first = await night({ geo: 'places' });
  writeFileSync(join(first.release.dir, 'stray'), '');
  t.match(await night({ geo: 'places' }, { acceptedGates: ['canaries'] }), { published: true });
  t.match(log.at(-1), /release \S+ is damaged and will be rebuilt: .*stray: is not in the manifest/);
});

t.test('a missing dataset is not published unless its gate is accepted', async (t) => {
  const { night } = nights(t);
  const first = await night({ geo: 'places', routing: 'routes' });
  const gone = /gate "coverage": asn\.mmdb is missing; peering\.json is missing/;
  await t.rejects(night({ geo: 'other places' }), { name: 'GateError', message: gone });
  const accepted = await night({ geo: 'other places' }, { acceptedGates: ['coverage'] });
  t.not(accepted.id, first.id);
  t.same(Object.keys(accepted.release.manifest.datasets!), ['geo']);
});

t.test('the unfinished release of a killed run is assembled again', async (t) => {
  const { outputDir, night } = nights(t);
  const settings = { sourceDateEpoch: 77 };
  const first = await night({ geo: 'places' }, settings);
  const left = join(outputDir, 'releases', `.tmp-${first.id}`);
  mkdirSync(left);
  writeFileSync(join(left, 'geo.mmdb'), 'half');
  const again = await night({ geo: 'places' }, { ...settings, force: true });
  t.equal(again.id, first.id);
  t.same(again.unfinished, []);
});
