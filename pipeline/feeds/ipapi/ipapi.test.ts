import { readFileSync } from 'node:fs';
import t, { type Test } from 'tap';
import type { OpenFile } from '../../input/published-source.js';
import { ipapi } from './ipapi.js';
import { fileOfBytes, fileOfRows, fixtureFile, sourceText, tryFeed } from '../testing/feed-trial.js';

const V4 = 'geolocationDatabaseIPv4.csv.zip';
const V6 = 'geolocationDatabaseIPv6.csv.zip';
const HEADER =
  'ip_version,start_ip,end_ip,continent,country_code,country,state,city,zip,timezone,latitude,longitude,accuracy,source';
const trial = await tryFeed(ipapi, [fixtureFile(ipapi, V4), fixtureFile(ipapi, V6)]);

function fileOf(t: Test, name: string, ...lines: string[]): OpenFile {
  return fileOfRows(t, { feed: ipapi, name, entry: name.replace('.zip', '') }, lines);
}

/** A row in Solna without the columns before the continent and after the longitude. */
const SOLNA = 'EU,SE,Sweden,Stockholm,Solna,169 91,Europe/Stockholm,59.36,18.00';
const solna = {
  country: 'SE',
  regionName: 'Stockholm',
  cityName: 'Solna',
  latitude: 59.36,
  longitude: 18,
  timeZone: 'Europe/Stockholm',
};

t.test('every row of both files is counted, within the tolerance', (t) => {
  for (const [name, accepted, rejected] of [
    [V4, 252, 9],
    [V6, 135, 2],
  ] as const) {
    const tally = trial.tally(name);
    t.equal(
      tally.rows,
      sourceText(`ipapi/${name.replace('.zip', '')}`)
        .trimEnd()
        .split('\n').length - 1,
      name,
    );
    t.same([tally.accepted, tally.rejected], [accepted, rejected], name);
    t.ok(tally.rejected <= tally.rows * ipapi.tolerance, name);
  }
  t.end();
});

t.test('each bad row is rejected with its reason and line', (t) => {
  t.same(trial.rejections(V4), [
    'address@243',
    'columns@183',
    'columns@184',
    'country@189',
    'encoding@186',
    'family@188',
    'inverted@187',
    'quoting@185',
    'reserved@2',
  ]);
  t.same(trial.rejections(V6), ['family@138', 'family@18'], 'an IPv4 row, and IPv6 under version 4');
  t.end();
});

t.test('each oddity of an accepted row is noted', (t) => {
  const notes = { duplicate: 1, conflict: 1, unknown: 1, coordinates: 1, clipped: 1 };
  t.same(trial.tally(V4).notes, notes);
  t.same(trial.tally(V6).notes, { mapped: 16 });
  t.end();
});

t.test('a row gives country, region, city, zone, coordinates and accuracy', (t) => {
  t.same(trial.claimAt('1.36.0.1'), {
    country: 'HK',
    cityName: 'Hong Kong',
    latitude: 22.2783,
    longitude: 114.1747,
    timeZone: 'Asia/Hong_Kong',
    accuracyClass: 1,
  });
  t.match(trial.claimAt('36.64.0.1'), { regionName: 'West Kalimantan', latitude: 0, accuracyClass: 2 });
  t.end();
});

t.test('only the country of rows with accuracy 4 or 5 is kept', async (t) => {
  t.same(trial.claimAt('8.8.8.8'), { country: 'US', accuracyClass: 4 });
  const rows = ['3.4', '3.6', '4', '5', ''].map(
    (class_, i) => `4,5.0.${i}.0,5.0.${i}.255,${SOLNA},${class_},tp1`,
  );
  const { claimAt } = await tryFeed(ipapi, [fileOf(t, V4, HEADER, ...rows)]);
  t.same(claimAt('5.0.0.1'), { ...solna, accuracyClass: 3 }, 'a fraction is rounded');
  t.same(claimAt('5.0.1.1'), { country: 'SE', accuracyClass: 4 });
  t.same(claimAt('5.0.2.1'), { country: 'SE', accuracyClass: 4 });
  t.same(claimAt('5.0.3.1'), { country: 'SE', accuracyClass: 5 });
  t.same(claimAt('5.0.4.1'), solna);
});

t.test('an invalid accuracy or IP version is rejected as shifted columns', async (t) => {
  const classes = ['0', '6', '-1', 'tp1', '1e0', '10'];
  const rows = classes.map((class_, i) => `4,5.0.${i}.0,5.0.${i}.255,${SOLNA},${class_},tp1`);
  const versions = ['', '5', 'v4'].map((version) => `${version},5.1.0.0,5.1.0.255,${SOLNA},1,tp1`);
  const { tally } = await tryFeed(ipapi, [fileOf(t, V4, HEADER, ...rows, ...versions)]);
  t.equal(tally(V4).rejections.columns?.count, 9);
  t.equal(tally(V4).accepted, 0);
});

t.test('rows from whois registration only are marked as registration', async (t) => {
  t.match(trial.claimAt('1.0.0.1'), { cityName: 'Research', accuracyClass: 3, basis: 'registration' });
  t.equal(trial.claimAt('1.0.16.1')?.basis, undefined, 'another source agrees');
  const sources = [
    'whoisDescrAttr',
    'whoisOnlyCountryAvailable',
    'whoisArin;whoisLacnic',
    'whoisGeolocAttr',
    'ownGeofeedData',
    '',
  ];
  const rows = sources.map((source, i) => `4,5.0.${i}.0,5.0.${i}.255,${SOLNA},1,${source}`);
  const { claimAt } = await tryFeed(ipapi, [fileOf(t, V4, HEADER, ...rows)]);
  const bases = sources.map((_, i) => claimAt(`5.0.${i}.1`)?.basis);
  t.same(bases, ['registration', 'registration', 'registration', undefined, undefined, undefined]);
});

t.test('nested ranges: the most specific wins', (t) => {
  t.equal(trial.claimAt('193.12.111.23')?.cityName, 'Malmo');
  t.match(trial.claimAt('193.12.111.24'), {
    cityName: 'Stockholm',
    latitude: 59.355596,
    longitude: 18.061523,
  });
  t.equal(trial.claimAt('193.12.111.32')?.cityName, 'Malmo');
  t.end();
});

t.test('placeholders and invalid time zones are dropped', (t) => {
  t.equal(trial.claimAt('91.187.96.1'), undefined);
  t.same(trial.claimAt('91.187.97.1'), { country: 'XK', timeZone: 'Europe/Belgrade', accuracyClass: 3 });
  t.same(trial.claimAt('91.187.98.1'), { country: 'XK', cityName: 'Pristina', accuracyClass: 2 });
  t.same(trial.claimAt('91.187.99.1'), {
    country: 'XK',
    regionName: 'Pristina, District of',
    cityName: 'Pristina',
    latitude: 42.6727,
    longitude: 21.1669,
    timeZone: 'Europe/Belgrade',
  });
  t.end();
});

t.test('the IPv6 file gives no claim for IPv4', async (t) => {
  const mapped = `6,::ffff:500:0,::ffff:500:ff,${SOLNA},1,tp1`;
  const { claimAt, tally } = await tryFeed(ipapi, [fileOf(t, V6, HEADER, mapped)]);
  t.same(tally(V6).notes, { mapped: 1 });
  t.equal(claimAt('5.0.0.1'), undefined);
});

t.test('camelCase names, the commercial sample and older files give the same claims', async (t) => {
  const headers: [header: string, row: string][] = [
    [
      'ip_version,start_ip,end_ip,continent,country_code,country,state,city,zip,timezone,latitude,longitude,accuracy',
      `4,5.0.0.0,5.0.0.255,${SOLNA},1`,
    ],
    [
      'ipVersion,startIp,endIp,continent,countryCode,country,state,city,zip,timezone,latitude,longitude,accuracy,sources',
      `4,5.0.0.0,5.0.0.255,${SOLNA},1,tp1`,
    ],
    [
      'ipVersion,network,continent,country_code,country,state,city,zip,timezone,latitude,longitude,accuracy',
      `ipv4,5.0.0.0/24,${SOLNA},1`,
    ],
    [
      'ipVersion,network,continent,country_code,country,state,city,zip,timezone,latitude,longitude,accuracy',
      `ipv4,5.0.0.0 - 5.0.0.255,${SOLNA},1`,
    ],
    [
      'startIp,endIp,continent,countryCode,country,state,city,zip,timezone,isDst,latitude,longitude,accuracy',
      `5.0.0.0,5.0.0.255,${SOLNA.replace('Europe/Stockholm', 'Europe/Stockholm,1')},1.25`,
    ],
  ];
  for (const [header, row] of headers) {
    const { claimAt, tally, networks } = await tryFeed(ipapi, [fileOf(t, V4, header, row)]);
    t.same(claimAt('5.0.0.9'), { ...solna, accuracyClass: 1 }, header);
    t.same([tally(V4).accepted, tally(V4).rejected, networks], [1, 0, 1], header);
  }
});

t.test('other columns are refused', async (t) => {
  const refused = async (header: string, found: RegExp): Promise<void> => {
    const file = fileOf(t, V4, header, `4,5.0.0.0,5.0.0.255,${SOLNA},1,tp1`);
    await t.rejects(tryFeed(ipapi, [file]), { name: 'FeedError', refusal: 'header', found });
  };
  await refused(HEADER.replace('state', 'region'), /lacks column "state", has unknown column "region"/);
  await refused(HEADER.replace(',accuracy', ''), /lacks column "accuracy"/);
  await refused(HEADER.replace('start_ip,end_ip,', ''), /neither both ends of a range nor a network/);
  await refused(HEADER.replace('end_ip', 'network'), /neither both ends/);
  await refused(HEADER.replace('end_ip', 'end_ip,network'), /neither both ends/);
  await refused(`${HEADER},startIp`, /repeats column "start_ip"/);
});

t.test('an empty, truncated or other file is refused', async (t) => {
  await t.rejects(tryFeed(ipapi, [fileOf(t, V4)]), { name: 'FeedError', refusal: 'truncated' });
  const pointer = fileOfBytes(
    t,
    { feed: ipapi, name: V4 },
    Buffer.from('version https://git-lfs.github.com/spec/v1\n'),
  );
  await t.rejects(tryFeed(ipapi, [pointer]), { name: 'FeedError', refusal: 'container', found: /git-lfs/ });
  const whole = readFileSync(fixtureFile(ipapi, V4).path);
  for (let size = 0; size < whole.length; size += size < 40 ? 1 : 497) {
    const cut = fileOfBytes(t, { feed: ipapi, name: V4 }, whole.subarray(0, size));
    await t.rejects(tryFeed(ipapi, [cut]), { name: 'FeedError', refusal: 'truncated' }, `at byte ${size}`);
  }
});
