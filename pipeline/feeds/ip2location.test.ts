import { readFileSync } from 'node:fs';
import t, { type Test } from 'tap';
import { zipFile } from '../../fixtures/generate/zip-file.js';
import type { OpenFile } from '../input/published-source.js';
import { ip2location } from './ip2location.js';
import { fileOfBytes, fileOfRows, fixtureFile, sourceText, tryFeed } from './testing/feed-trial.js';

const V4 = 'IP2LOCATION-LITE-DB11.CSV.ZIP';
const V6 = 'IP2LOCATION-LITE-DB11.IPV6.CSV.ZIP';
const trial = await tryFeed(ip2location, [fixtureFile(ip2location, V4), fixtureFile(ip2location, V6)]);

function fileOf(t: Test, name: string, ...lines: string[]): OpenFile {
  return fileOfRows(t, { feed: ip2location, name, entry: 'IP2LOCATION-LITE-DB11.CSV' }, lines);
}

/** A row about a range, or a prefix, in Australia. */
function row(...network: string[]): string {
  return `${network.join(',')},"AU","Australia","Victoria","Melbourne","-37.814000","144.963320","3000","+10:00"`;
}

const LAST = '"3758096384","4294967295","-","-","-","-","0.000000","0.000000","-","-"';

t.test('every row of both files is counted, within the tolerance', (t) => {
  for (const [name, accepted, rejected] of [
    [V4, 941, 8],
    [V6, 275, 2],
  ] as const) {
    const tally = trial.tally(name);
    const lines = sourceText(`ip2location/${name.replace('.ZIP', '')}`)
      .trimEnd()
      .split('\r\n');
    t.equal(tally.rows, lines.length, name);
    t.same([tally.accepted, tally.rejected], [accepted, rejected], name);
    t.ok(tally.rejected <= tally.rows * ip2location.tolerance, name);
  }
  t.end();
});

t.test('each bad row is rejected with its reason and line', (t) => {
  t.same(trial.rejections(V4), [
    'address@637',
    'columns@636',
    'country@642',
    'encoding@639',
    'family@641',
    'inverted@640',
    'quoting@638',
    'reserved@881',
  ]);
  t.same(trial.rejections(V6), ['address@143', 'family@138']);
  t.end();
});

t.test('each oddity of an accepted row is noted', (t) => {
  const notes = { unknown: 440, duplicate: 1, conflict: 1, coordinates: 1, clipped: 1 };
  t.same(trial.tally(V4).notes, notes);
  t.same(trial.tally(V6).notes, { unknown: 16, mapped: 20 });
  t.end();
});

t.test('a row gives country, region and city by name, and coordinates; a dash is unknown', (t) => {
  t.same(trial.claimAt('1.10.200.1'), {
    country: 'TH',
    regionName: 'Krung Thep Maha Nakhon',
    cityName: 'Bangkok',
    latitude: 13.749976,
    longitude: 100.516819,
  });
  t.match(trial.claimAt('1.0.3.255'), { country: 'CN', cityName: 'Fuzhou' }, 'a range that is no prefix');
  t.equal(trial.claimAt('0.0.0.1'), undefined);
  t.same(trial.claimAt('91.187.97.1'), { country: 'XK' });
  t.same(trial.claimAt('91.187.98.1'), { country: 'XK', cityName: 'Pristina' });
  t.end();
});

t.test('integers of 39 digits are read exactly', (t) => {
  t.match(trial.claimAt('2c0f:fca8::'), { country: 'RE', cityName: 'Saint-Pierre' });
  t.match(trial.claimAt('2c0f:fca8:ffff:ffff:ffff:ffff:ffff:ffff'), { country: 'RE' });
  t.equal(trial.claimAt('2c0f:fca9::'), undefined);
  t.end();
});

t.test('the IPv6 file gives no claim for IPv4, neither mapped nor with a range around it', async (t) => {
  const rows = [row('"0"', '"281470698520575"'), row('"281470698520576"', '"281470698520831"')];
  const { claimAt, rejections, tally } = await tryFeed(ip2location, [fileOf(t, V6, ...rows)]);
  t.same(tally(V6).notes, { mapped: 1 });
  t.same(rejections(V6), ['reserved@1'], 'all that lies before 2000::');
  t.equal(claimAt('1.0.0.1'), undefined);
  t.equal(claimAt('8.8.8.8'), undefined);
});

t.test('the CIDR variant gives the same claims', async (t) => {
  const v4 = fileOf(
    t,
    V4,
    row('1.10.223.0/24'),
    row('1.10.224.1/24'),
    row('1.10.225.0/33'),
    row('2001:db8::/32'),
  );
  const inV4 = await tryFeed(ip2location, [v4]);
  t.same(inV4.claimAt('1.10.223.9'), {
    country: 'AU',
    regionName: 'Victoria',
    cityName: 'Melbourne',
    latitude: -37.814,
    longitude: 144.96332,
  });
  t.same(inV4.tally(V4).notes, { 'host-bits': 1 });
  t.same(inV4.rejections(V4), ['address@3', 'family@4']);
  const v6 = fileOf(t, V6, row('::ffff:1.10.223.0/120'), row('2400:8500::/32'), row('1.10.226.0/24'));
  const inV6 = await tryFeed(ip2location, [v6]);
  t.same(inV6.tally(V6).notes, { mapped: 1 });
  t.same(inV6.rejections(V6), ['family@3']);
  t.equal(inV6.claimAt('2400:8500::1')?.country, 'AU');
  t.equal(inV6.claimAt('1.10.223.9'), undefined);
});

t.test('a file with other columns is refused', async (t) => {
  const refused = async (...lines: string[]): Promise<void> => {
    const result = tryFeed(ip2location, [fileOf(t, V4, ...lines)]);
    await t.rejects(result, { name: 'FeedError', refusal: 'header' }, lines.join());
  };
  await refused('"16777216","16777471","AU","Australia"', LAST);
  await refused(row('"16777216"', '"16777471"', '"x"'), LAST);
  await refused(row('"ip_from"', '"ip_to"'), LAST);
  await refused(row('"1.0.0.0"', '"1.0.0.255"'), LAST);
  await refused(row('"16777216"'), LAST);
});

t.test('an IPv4 file that ends before the last address is truncated', async (t) => {
  const whole = await tryFeed(ip2location, [fileOf(t, V4, row('"16777216"', '"16777471"'), LAST)]);
  t.equal(whole.tally(V4).accepted, 2);
  const found = 'the last row ends at 1.0.0.255: expected 255.255.255.255';
  const short = tryFeed(ip2location, [fileOf(t, V4, row('"16777216"', '"16777471"'))]);
  await t.rejects(short, { name: 'FeedError', refusal: 'truncated', found });
});

t.test('the zip must have exactly one .csv entry, in any case, among other entries', async (t) => {
  const bytes = Buffer.from(`${row('16777216', '16777471')}\n${LAST}\n`);
  const zipOf = (...names: string[]): OpenFile => {
    const zip = zipFile(names.map((name) => ({ name, bytes })));
    return fileOfBytes(t, { feed: ip2location, name: V4 }, zip);
  };
  const good = await tryFeed(ip2location, [zipOf('LICENSE.TXT', '__MACOSX/._a.csv', 'db/a.Csv')]);
  t.equal(good.tally(V4).rows, 2);
  await t.rejects(tryFeed(ip2location, [zipOf('README_LITE.TXT')]), {
    name: 'FeedError',
    refusal: 'missing',
  });
  await t.rejects(tryFeed(ip2location, [zipOf('a.csv', 'b.csv')]), {
    name: 'FeedError',
    refusal: 'container',
  });
});

t.test('a text instead of the zip, or a zip truncated anywhere, is refused', async (t) => {
  const text = fileOfBytes(t, { feed: ip2location, name: V4 }, Buffer.from('NO PERMISSION'));
  await t.rejects(tryFeed(ip2location, [text]), {
    name: 'FeedError',
    refusal: 'container',
    found: /text: "NO PERMISSION"/,
  });
  const whole = readFileSync(fixtureFile(ip2location, V4).path);
  for (let size = 0; size < whole.length; size += size < 40 ? 1 : 997) {
    const cut = fileOfBytes(t, { feed: ip2location, name: V4 }, whole.subarray(0, size));
    await t.rejects(
      tryFeed(ip2location, [cut]),
      { name: 'FeedError', refusal: 'truncated' },
      `at byte ${size}`,
    );
  }
});
