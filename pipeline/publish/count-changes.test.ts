import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import t, { type Test } from 'tap';
import { compileResultSchema } from '../datasets/dataset-plan.js';
import type { Manifest } from '../release/contract.js';
import { sha256File, sha256Text } from '../release/digest.js';
import { publishRelease } from '../release/publish-release.js';
import { releaseId } from '../release/release-store.js';
import { exampleFile, exampleManifest } from '../release/testing/example-release.js';
import { writePlaces, type PlaceRows } from '../release/testing/place-files.js';
import { countChanges } from './count-changes.js';

const FRANCE = { country: { iso_code: 'FR' } };
const BEFORE: PlaceRows = [['10.0.0.0/23', FRANCE]];
const AFTER: PlaceRows = [
  ['10.0.0.0/24', FRANCE],
  ['10.0.1.0/24', { country: { iso_code: 'DE' } }],
];
const COVERAGE = { networks: 1, ipv4Addresses: 512, ipv6Slash64s: 0 };

/** An output folder, the log, and functions that publish a release and count the changes of the next one. */
function output(t: Test) {
  const outputDir = t.testdir({});
  const log: string[] = [];
  const fileIn = async (dir: string, name = 'geo.mmdb') => ({
    ...exampleFile('x'),
    ...(await sha256File(join(dir, name))),
    coverageByCountry: { FR: COVERAGE },
  });
  const release = async (
    write: (path: string) => void,
    changes: Partial<Manifest> = {},
    databaseType = 'ipatlas-City',
  ): Promise<string> => {
    const workDir = join(outputDir, 'releases', '.tmp-work');
    mkdirSync(workDir, { recursive: true });
    write(join(workDir, 'geo.mmdb'));
    const buildKey = sha256Text('x');
    const id = releaseId(1, buildKey);
    const files = [{ ...(await fileIn(workDir)), databaseType }];
    const manifest = { ...exampleManifest(1), ...changes, files, buildKey, id };
    return (await publishRelease({ outputDir, workDir, manifest })).id;
  };
  const count = async (rows: PlaceRows, source: Manifest['source'] = 'folder') => {
    const dir = join(outputDir, 'next');
    mkdirSync(dir, { recursive: true });
    writePlaces(join(dir, 'geo.mmdb'), rows);
    const good = { passed: true, found: 'good' };
    const files = [{ file: await fileIn(dir), examination: { tree: good, schema: good, canaries: [] } }];
    const compiled = { dataset: 'geo', key: sha256Text('geo'), inputs: [], files, indexes: [], counters: {} };
    const settings = { outputDir } as Parameters<typeof countChanges>[2]['settings'];
    const context = { settings, progress: () => undefined, log: (line: string) => log.push(line) };
    return countChanges([{ ...compileResultSchema.parse(compiled), dir }], { source }, context);
  };
  return { outputDir, log, release, count };
}

const places = (rows: PlaceRows) => (path: string) => {
  writePlaces(path, rows);
};

t.test('the changes since the last release are counted by country', async (t) => {
  const { release, count, log } = output(t);
  t.equal(await count(AFTER), undefined, 'none for a first release');
  const since = await release(places(BEFORE));
  t.same(await count(AFTER), {
    ...{ since, removed: 0 },
    countries: {
      DE: { ipv4Addresses: 256, gained: 256, changed: 0 },
      FR: { ipv4Addresses: 256, gained: 0, changed: 0 },
    },
  });
  t.same(await count(BEFORE), {
    ...{ since, removed: 0 },
    countries: { FR: { ipv4Addresses: 512, gained: 0, changed: 0 } },
  });
  t.same(log, []);
});

t.test('a real release is not compared with one from fixtures', async (t) => {
  const { release, count } = output(t);
  await release(places(BEFORE), { source: 'fixtures' });
  t.equal(await count(AFTER), undefined);
  t.match(await count(AFTER, 'fixtures'), { removed: 0 });
});

t.test('a release whose geo.mmdb is of another type is not compared, with a line in the log', async (t) => {
  const { release, count, log } = output(t);
  await release(places(BEFORE), {}, 'another-City');
  t.equal(await count(AFTER), undefined);
  t.match(log, [/were not counted: its geo\.mmdb is of type another-City$/]);
});

t.test(
  'a last file that is damaged or has other records is logged, and does not stop the build',
  async (t) => {
    const damaged = output(t);
    const since = await damaged.release(places(BEFORE));
    writeFileSync(join(damaged.outputDir, 'releases', since, 'geo.mmdb'), 'torn');
    t.equal(await damaged.count(AFTER), undefined);
    t.match(damaged.log, [
      /^the changes since \S+ were not counted: .*geo\.mmdb: has 4 bytes, expected \d+$/,
    ]);
    const text = output(t);
    await text.release((path) => {
      writeFileSync(path, 'no database');
    });
    t.equal(await text.count(AFTER), undefined);
    t.match(text.log, [/were not counted: at offset \d+/]);
  },
);
