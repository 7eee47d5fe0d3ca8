import t, { type Test } from 'tap';
import { dbip } from './dbip.js';
import type { OpenFile } from '../input/published-source.js';
import { fileOfBytes, fileOfRows, fixtureFile, sourceText, tryFeed } from './testing/feed-trial.js';
import { readFileSync } from 'node:fs';

const NAME = 'dbip-city-lite-2026-11.csv.gz';
const SOURCE = 'dbip-city-lite-2026-11.csv';
const trial = await tryFeed(dbip, [fixtureFile(dbip, NAME)]);

function fileOf(t: Test, ...lines: string[]): OpenFile {
  return fileOfRows(t, { feed: dbip, name: NAME }, lines);
}

t.test('every row of the fixture is counted, within the tolerance', (t) => {
  const { rows, accepted, rejected } = trial.tally(NAME);
  t.equal(rows, sourceText(SOURCE).trimEnd().split('\n').length);
  t.same({ accepted, rejected }, { accepted: 1183, rejected: 8 });
  t.ok(rejected <= rows * dbip.tolerance);
  t.end();
});

t.test('each bad row is rejected with its reason and line', (t) => {
  t.same(trial.rejections(NAME), [
    'address@640',
    'columns@639',
    'country@645',
    'encoding@642',
    'family@644',
    'inverted@643',
    'quoting@641',
    'reserved@884',
  ]);
  t.end();
});

t.test('each oddity of an accepted row is noted', (t) => {
  t.same(trial.tally(NAME).notes, {
    unknown: 442,
    duplicate: 1,
    conflict: 1,
    coordinates: 1,
    clipped: 1,
    mapped: 1,
  });
  t.end();
});

t.test('a range gives country, region and city by name, and coordinates', (t) => {
  const wenquan = {
    country: 'CN',
    regionName: 'Fujian',
    cityName: 'Wenquan',
    latitude: 26.0998,
    longitude: 119.297,
  };
  t.same(trial.claimAt('1.0.1.0'), wenquan);
  t.same(trial.claimAt('1.0.3.255'), wenquan, 'a range that is no prefix');
  t.equal(trial.claimAt('1.0.4.0'), undefined);
  t.match(trial.claimAt('8.8.8.8'), { country: 'US', cityName: 'Mountain View' });
  t.match(trial.claimAt('2001:200::1'), { country: 'JP' });
  t.end();
});

t.test('a district in brackets and a quoted comma are kept in the city name', (t) => {
  t.equal(trial.claimAt('1.5.0.1')?.cityName, 'Chiyoda, Tokyo');
  t.equal(trial.claimAt('2.0.0.1')?.cityName, 'Paris (2e Arrondissement)');
  t.end();
});

t.test(
  'ZZ and EU are unknown, 0,0 without a city is dropped, UK becomes GB, and Hong Kong has no region',
  (t) => {
    t.equal(trial.claimAt('91.187.96.1'), undefined);
    t.same(trial.claimAt('91.187.97.1'), { country: 'XK' });
    t.same(trial.claimAt('91.187.98.1'), { country: 'XK', cityName: 'Pristina' });
    t.equal(trial.claimAt('91.187.99.1')?.country, 'GB');
    t.match(trial.claimAt('1.36.0.1'), { country: 'HK', regionName: undefined, cityName: 'Hong Kong' });
    t.end();
  },
);

t.test('the first of conflicting rows is kept, mapped rows are IPv4, and reserved space is cut out', (t) => {
  t.equal(trial.claimAt('77.88.9.1')?.country, 'RU');
  t.equal(trial.claimAt('1.2.3.4')?.cityName, 'Sydney');
  t.equal(trial.claimAt('198.17.0.1')?.country, 'US');
  t.equal(trial.claimAt('198.18.0.1'), undefined);
  t.end();
});

t.test('IPv6 text in ::/96 is reserved, and a range that begins there does not cover IPv4', async (t) => {
  const { claimAt, rejections, tally } = await tryFeed(dbip, [
    fileOf(t, '::1:0,::1:ffff,EU,DE,,,0,0', '::,2000::,EU,FR,,,0,0', '::,::ffff,ZZ,ZZ,,,0,0'),
  ]);
  t.same(rejections(NAME), ['reserved@1']);
  t.same(tally(NAME).notes, { clipped: 1, unknown: 1 });
  t.equal(claimAt('8.8.8.8'), undefined);
  t.equal(claimAt('2000::')?.country, 'FR');
});

t.test('a file with other columns is refused', async (t) => {
  const refused = async (line: string, found: RegExp): Promise<void> => {
    const file = fileOf(t, line, '1.0.0.0,1.0.0.255,OC,AU,,,0,0');
    await t.rejects(tryFeed(dbip, [file]), { name: 'FeedError', refusal: 'header', found });
  };
  await refused('1.0.0.0,1.0.0.255,AU', /^3 columns: expected 8$/);
  await refused('1.0.0.0,1.0.0.255,OC,AU,,,,0,0', /^9 columns: expected 8$/);
  await refused(
    'ip_start,ip_end,continent,country,stateprov,city,latitude,longitude',
    /"ip_start": expected an address/,
  );
});

t.test('a file that is empty or truncated anywhere is refused', async (t) => {
  const whole = readFileSync(fixtureFile(dbip, NAME).path);
  await t.rejects(tryFeed(dbip, [fileOf(t)]), { name: 'FeedError', refusal: 'truncated' });
  for (let size = 0; size < whole.length; size += size < 40 ? 1 : 997) {
    const cut = fileOfBytes(t, { feed: dbip, name: NAME }, whole.subarray(0, size));
    await t.rejects(tryFeed(dbip, [cut]), { name: 'FeedError', refusal: 'truncated' }, `at byte ${size}`);
  }
  const last = fileOfBytes(t, { feed: dbip, name: NAME }, whole.subarray(0, -1));
  await t.rejects(tryFeed(dbip, [last]), { name: 'FeedError', refusal: 'truncated' });
});

t.test('an HTML page instead of the gzip file is refused', async (t) => {
  const page = fileOfBytes(t, { feed: dbip, name: NAME }, Buffer.from('<html><h1>404 Not Found</h1>'));
  await t.rejects(tryFeed(dbip, [page]), { name: 'FeedError', refusal: 'container', found: /an HTML page/ });
});
