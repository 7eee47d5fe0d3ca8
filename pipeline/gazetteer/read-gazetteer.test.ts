import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import t, { type Test } from 'tap';
import { zipFile } from '../../fixtures/generate/zip-file.js';
import { openFileAt } from '../../fixtures/open-file.js';
import { TERMS, type OpenFile, type Terms } from '../input/published-source.js';
import { composeGazetteer } from './compose-gazetteer.js';
import { toJson } from './gazetteer-json.js';
import { readGazetteer, readSources } from './read-gazetteer.js';
import { fixtureFiles } from './testing/fixture-files.js';

const ALL = new Set(TERMS);
const files = fixtureFiles();
const named = (name: string): OpenFile => files.find((file) => file.name === name)!;

/** Returns the fixture files with one replaced. */
function withFile(t: Test, name: string, bytes: Buffer | string): OpenFile[] {
  const dir = join(t.testdir({}), 'gazetteer');
  mkdirSync(dir);
  writeFileSync(join(dir, name), bytes);
  const file = openFileAt(join(dir, name), name.endsWith('.zip') ? 'zip' : 'plain');
  return [...files.filter((one) => one.name !== name), file];
}

t.test('every row of every file is counted', async (t) => {
  const { tallies } = await readSources(files);
  const counts = Object.fromEntries(
    Object.entries(tallies).map(([id, { rows, rejected }]) => [id, [rows, rejected]]),
  );
  t.same(counts, {
    'gazetteer/cities15000.txt': [39, 0],
    'gazetteer/admin1CodesASCII.txt': [36, 0],
    'gazetteer/countryInfo.txt': [4, 0],
    'gazetteer/alternateNamesV2.txt': [29, 0],
    'gazetteer/dr5hn-cities-zh.tsv': [6, 0],
    'gazetteer/dr5hn-states-zh.tsv': [5, 0],
    'geolite2/GeoLite2-City-CSV_20261117.zip': [848, 0],
  });
});

t.test('rejected rows are counted by reason', async (t) => {
  const rows = readFileSync(named('cities15000.txt').path, 'utf8').trimEnd().split('\n');
  const many = Array.from({ length: 20 }, (_, i) =>
    rows.map((row) => row.replace(/^\d+/, (id) => String(Number(id) + i * 10_000_000))),
  ).flat();
  const bad = [
    'too\tfew',
    rows[0]!.replace('39.9075', '139.9075'),
    rows[0]!.replace('\tCN\t', '\tAN\t'),
    rows[0]!.replace(/^\d+/, 'x'),
  ];
  const text = Buffer.concat([
    Buffer.from([...many, ...bad].join('\n') + '\n'),
    Buffer.from('1\tK\xf6ln\n', 'latin1'),
  ]);
  const { tallies } = await readSources(withFile(t, 'cities15000.txt', text));
  const tally = tallies['gazetteer/cities15000.txt']!;
  t.equal(tally.rows, many.length + 5);
  t.same(
    Object.entries(tally.rejections).map(([reason, { count }]) => [reason, count]),
    [
      ['columns', 3],
      ['country', 1],
      ['encoding', 1],
    ],
  );
  t.equal(tally.rejections.encoding?.examples[0]?.position, many.length + 5);
});

t.test('a zip is read like the text it contains', async (t) => {
  const text = readFileSync(named('cities15000.txt').path);
  const zip = zipFile([
    { name: 'readme.txt', bytes: Buffer.from('x') },
    { name: 'cities15000.txt', bytes: text },
  ]);
  const packed = withFile(t, 'cities15000.zip', zip).filter(({ name }) => name !== 'cities15000.txt');
  t.equal(toJson(await readGazetteer(packed, ALL)), toJson(await readGazetteer(files, ALL)));
});

t.test('damaged files are refused with their names', async (t) => {
  const cities = readFileSync(named('cities15000.txt').path);
  const cases: [name: string, bytes: Buffer | string, refusal: string][] = [
    ['cities15000.txt', '<!DOCTYPE html><html></html>', 'container'],
    ['cities15000.txt', '', 'truncated'],
    ['cities15000.txt', '# nothing\n', 'truncated'],
    ['cities15000.txt', cities.subarray(0, cities.length - 40), 'tolerance'],
    ['cities15000.txt', 'x'.repeat(400_000), 'container'],
    ['cities15000.zip', zipFile([{ name: 'cities15000.txt', bytes: cities }]).subarray(0, 700), 'truncated'],
    ['cities15000.zip', zipFile([{ name: 'other.txt', bytes: cities }]), 'missing'],
    ['cities500.zip', cities, 'container'],
    ['admin1CodesASCII.txt', 'US.CA\tCalifornia\n', 'header'],
    ['alternateNamesV2.txt', cities, 'header'],
    ['dr5hn-states-zh.tsv', 'id\tname\n', 'header'],
  ];
  for (const [name, bytes, refusal] of cases) {
    const expected = { name: 'FeedError', refusal, file: `gazetteer/${name}` };
    await t.rejects(readSources(withFile(t, name, bytes)), expected, `${name} ${refusal}`);
  }
});

t.test('a damaged GeoLite2 zip is refused, even if only its networks are damaged', async (t) => {
  const zip = files.find(({ container }) => container === 'zip')!;
  const bytes = Buffer.from(readFileSync(zip.path));
  const blocks = bytes.indexOf('Blocks-IPv4.csv') + 400;
  bytes[blocks]! ^= 0xff;
  const dir = join(t.testdir({}), 'geolite2');
  mkdirSync(dir);
  writeFileSync(join(dir, zip.name), bytes);
  const damaged = openFileAt(join(dir, zip.name), 'zip');
  await t.rejects(readSources([damaged]), { name: 'FeedError', refusal: 'truncated', file: damaged.id });
});

t.test('without any file there is no gazetteer', async (t) => {
  await t.rejects(readSources([]), { name: 'FeedError', refusal: 'missing' });
  const other = [{ ...files[0]!, folder: 'own', name: 'overrides.csv' }];
  await t.rejects(readSources(other), { name: 'FeedError', refusal: 'missing' });
});

t.test('an edition contains nothing from sources with other terms', async (t) => {
  const { rows } = await readSources(files);
  const edition = (...terms: Terms[]) => composeGazetteer(rows, new Set(terms));
  const alone = async (wanted: (file: OpenFile) => boolean) =>
    toJson(await readGazetteer(files.filter(wanted), ALL));
  const isGeonames = ({ name }: OpenFile) => /^(cities|admin1|countryInfo|alternate)/.test(name);
  t.equal(toJson(edition('free')), await alone(isGeonames), 'the same as without the other sources');
  t.equal(toJson(edition('free', 'share-alike')), await alone(({ folder }) => folder === 'gazetteer'));
  t.equal(toJson(edition(...TERMS)), await alone(() => true));
  const open = edition('free');
  t.equal(open.placeOf(71137), undefined, 'a city listed only by GeoLite2');
  t.notMatch(toJson(open), /瓦乔|奥得河畔/, 'names of dr5hn');
  t.equal(open.placeOf(2925533)?.region, 'DE-HE', 'regions from names of an open table');
  t.equal(open.placeOf(1520316)?.region, 'KZ-63');
  t.equal(open.placeOf(1853909)?.names['zh-CN'], '大阪');
  t.equal(open.placeOf(5128581)?.names['zh-CN'], '纽约');
});
