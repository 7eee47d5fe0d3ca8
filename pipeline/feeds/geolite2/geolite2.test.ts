import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import t, { type Test } from 'tap';
import { geolite2Contents, SNAPSHOT } from '../../../fixtures/generate/geolite2.js';
import { zipFile, type ZipContent } from '../../../fixtures/generate/zip-file.js';
import { openFileAt, PROJECT_ROOT } from '../../../fixtures/open-file.js';
import { parseAddress } from '../../net/address.js';
import { parseSpecialPurposeRegistry } from '../../net/special-purpose.js';
import { reservedSpace } from '../../table/reserved-space.js';
import type { Claim } from '../../input/claims/claim.js';
import { LayeredClaims } from '../../input/claims/layered-claims.js';
import type { OpenFile } from '../../input/published-source.js';
import { geolite2 } from './geolite2.js';
import type { Reason, Tally } from '../../input/tally.js';
import { withZip } from '../../input/containers/zip-archive.js';

const FIXTURE = join(PROJECT_ROOT, `fixtures/feeds/geolite2/${SNAPSHOT}.zip`);
const SOURCE = 'fixtures/sources/geolite2';
const V4 = `${SNAPSHOT}/GeoLite2-City-Blocks-IPv4.csv`;
const V6 = `${SNAPSHOT}/GeoLite2-City-Blocks-IPv6.csv`;
const EN = `${SNAPSHOT}/GeoLite2-City-Locations-en.csv`;
const ZH = `${SNAPSHOT}/GeoLite2-City-Locations-zh-CN.csv`;

const reserved = reservedSpace(
  [4, 6].flatMap((family) => {
    const path = join(PROJECT_ROOT, `fixtures/feeds/iana/iana-ipv${family}-special-registry.xml`);
    return parseSpecialPurposeRegistry(readFileSync(path, 'utf8'));
  }),
);

interface GeoLite2Trial {
  readonly tally: Tally;
  readonly networks: number;
  readonly claimAt: (address: string) => Claim | undefined;
}

async function read(file: OpenFile): Promise<GeoLite2Trial> {
  const collected = new LayeredClaims(geolite2.layers.length, reserved);
  await geolite2.read([file], (one) => collected.sinkFor(one));
  const { table, claims } = collected.finish((said) => geolite2.combine(said));
  return {
    tally: collected.tallies.get(file.id)!,
    networks: table.networkCount(),
    claimAt: (address) => {
      const match = table.lookup(parseAddress(address)!.address);
      return match === undefined ? undefined : claims[match.recordId];
    },
  };
}

function fileOf(t: Test, bytes: Buffer | string): OpenFile {
  const folder = join(t.testdir({}), 'geolite2');
  mkdirSync(folder);
  writeFileSync(join(folder, `${SNAPSHOT}.zip`), bytes);
  return openFileAt(join(folder, `${SNAPSHOT}.zip`), 'zip');
}

/** Returns the fixture with one entry edited as Latin-1, which preserves every byte. Undefined removes the entry. */
async function edited(t: Test, entry: string, edit: (text: string) => string | undefined): Promise<OpenFile> {
  const contents: ZipContent[] = [];
  for (const { name, bytes } of await geolite2Contents(PROJECT_ROOT)) {
    const text = name === entry ? edit(bytes.toString('latin1')) : bytes.toString('latin1');
    if (text !== undefined) contents.push({ name, bytes: Buffer.from(text, 'latin1') });
  }
  return fileOf(t, zipFile(contents));
}

const file = openFileAt(FIXTURE, 'zip');
const trial = await read(file);

t.test('the committed zip has the content of its sources', async (t) => {
  await withZip(file, async (zip) => {
    for (const { name, bytes } of await geolite2Contents(PROJECT_ROOT)) {
      const chunks: Buffer[] = [];
      for await (const chunk of zip.read(name)) chunks.push(chunk);
      t.ok(Buffer.concat(chunks).equals(bytes), `${name}: run the generator`);
    }
  });
});

t.test('every row of the blocks is counted, within the tolerance', (t) => {
  const lines = [V4, V6].map((name) =>
    readFileSync(join(PROJECT_ROOT, name.replace(SNAPSHOT, SOURCE)), 'latin1'),
  );
  const rows = lines.flatMap((text) => text.trimEnd().split('\n').slice(1)).length;
  const { tally } = trial;
  t.equal(tally.rows, rows);
  t.equal(tally.accepted + tally.rejected, rows);
  t.ok(tally.rejected / rows < geolite2.tolerance, `${tally.rejected} of ${rows} rejected`);
  t.end();
});

t.test('each bad row is rejected once, with its reason, line and text', (t) => {
  const { rejections } = trial.tally;
  const only: Partial<Record<Reason, [number, RegExp]>> = {
    columns: [518, /^91\.187\.100\.0\/24,831053,831053,,0,0,,42\.58,21\.00$/],
    address: [519, /^91\.187\.101\.300\/24,/],
    quoting: [520, /^91\.187\.102\.0\/24,"831053,/],
    encoding: [521, /^91\.187\.103\.0\/24,.*Pri\ufffdtina/],
    country: [522, /^91\.187\.104\.0\/24,3513447,/],
    reference: [523, /^91\.187\.105\.0\/24,999999999,/],
    reserved: [3, /^280:14c:418:1000::\/64$/],
  };
  for (const [reason, [position, excerpt]] of Object.entries(only)) {
    const found = rejections[reason as Reason];
    t.equal(found?.count, 1, reason);
    t.equal(found?.examples[0]?.position, position, reason);
    t.match(found?.examples[0]?.excerpt, excerpt, reason);
  }
  t.same(rejections.family, {
    count: 2,
    examples: [
      { position: 759, excerpt: '2001:db9::/32,2077456,2077456,,0,0,,,,,' },
      { position: 5, excerpt: '9.9.9.0/24,6252001,6252001,,0,0,,37.75,-97.82,1000,' },
    ],
  });
  t.same(Object.keys(rejections).sort(), [...Object.keys(only), 'family'].sort());
  t.end();
});

t.test('each oddity of an accepted row is noted once', (t) => {
  t.same(trial.tally.notes, {
    unknown: 1,
    mapped: 1,
    'host-bits': 1,
    duplicate: 1,
    conflict: 1,
    coordinates: 1,
    clipped: 1,
  });
  t.end();
});

t.test('withdrawn regions become their successors, unlisted ones are noted', async (t) => {
  const renumbered = await edited(t, EN, (text) =>
    text.replace('NO,Norway,03,Oslo', 'NO,Norway,02,Akershus'),
  );
  t.match((await read(renumbered)).claimAt('2.148.0.1'), { country: 'NO', region: 'NO-32', cityId: 3143244 });
  const divided = await read(
    await edited(t, EN, (text) => text.replace('NO,Norway,03,Oslo', 'NO,Norway,30,Viken')),
  );
  t.match(divided.claimAt('2.148.0.1'), { country: 'NO', region: undefined, cityId: 3143244 });
  t.equal(divided.tally.notes['region-code'], 1);
});

t.test('codes that the publisher swapped are corrected by the English name', async (t) => {
  const hsinchu = (name: string) =>
    edited(t, EN, (text) => text.replace('NO,Norway,03,Oslo', `TW,Taiwan,HSQ,${name}`));
  t.match((await read(await hsinchu('Hsinchu City'))).claimAt('2.148.0.1'), { region: 'TW-HSZ' });
  t.match((await read(await hsinchu('Hsinchu County'))).claimAt('2.148.0.1'), { region: 'TW-HSQ' });
});

t.test('a city row gives country, region, city, zone, coordinates and radius', (t) => {
  t.same(trial.claimAt('114.114.114.114'), {
    country: 'CN',
    region: 'CN-JS',
    cityId: 1799962,
    timeZone: 'Asia/Shanghai',
    registeredCountry: 'CN',
    latitude: 32.0617,
    longitude: 118.7778,
    radiusKm: 10,
  });
  t.match(trial.claimAt('2a02:40:2048::1'), { country: 'GB', region: 'GB-ENG', cityId: 2643123 });
  t.end();
});

t.test('a country row gives no city and no zone, and keeps its coordinates', (t) => {
  const centre = {
    country: 'US',
    registeredCountry: 'US',
    latitude: 37.75,
    longitude: -97.82,
    radiusKm: 1000,
  };
  t.same(trial.claimAt('8.8.8.8'), { ...centre, anycast: 'listed' });
  t.same(trial.claimAt('1.0.0.1'), { country: 'AU', registeredCountry: 'AU' });
  t.end();
});

t.test('region and district rows give no city, a nested city row wins over them', (t) => {
  const region = trial.claimAt('63.116.1.1');
  t.match(region, { country: 'US', region: 'US-NY', timeZone: 'America/New_York', radiusKm: 500 });
  t.equal(region?.cityId, undefined);
  t.match(trial.claimAt('63.116.26.1'), { region: 'US-NY', cityId: 5128581 });
  const district = trial.claimAt('102.80.0.1');
  t.match(district, { country: 'UG', region: 'UG-C', timeZone: 'Africa/Kampala' });
  t.equal(district?.cityId, undefined);
  t.end();
});

t.test('a continent gives no country', (t) => {
  const claim = trial.claimAt('185.5.203.1');
  t.same(claim, { registeredCountry: 'IT', latitude: 48.69, longitude: 9.14, radiusKm: 1000 });
  t.end();
});

t.test('without a location the registered country is used, as registration', (t) => {
  t.same(trial.claimAt('185.5.202.1'), { country: 'IT', registeredCountry: 'IT', basis: 'registration' });
  t.same(trial.claimAt('2402:6800:1::1'), {
    country: 'JP',
    registeredCountry: 'JP',
    basis: 'registration',
  });
  t.end();
});

t.test('Hong Kong and Macao are countries without regions, Taiwan keeps its regions', (t) => {
  const hongKong = trial.claimAt('202.45.84.1');
  t.match(hongKong, { country: 'HK', cityId: 1819729, timeZone: 'Asia/Hong_Kong' });
  t.equal(hongKong?.region, undefined);
  t.equal(trial.claimAt('202.175.1.1')?.country, 'MO');
  t.equal(trial.claimAt('202.175.1.1')?.region, undefined);
  t.match(trial.claimAt('168.95.1.1'), { country: 'TW', region: 'TW-TPE', cityId: 1668341 });
  t.end();
});

t.test('latitude 0 is valid, 0,0 without a city is dropped, and so are invalid coordinates', (t) => {
  t.match(trial.claimAt('36.64.0.1'), { cityId: 1630789, latitude: 0, longitude: 109.3333 });
  t.same(trial.claimAt('91.187.97.1'), { country: 'XK', registeredCountry: 'XK' });
  t.same(trial.claimAt('91.187.98.1'), { country: 'XK', registeredCountry: 'XK' });
  t.end();
});

t.test(
  'the first of conflicting rows stays, host bits are masked, reserved and mapped space is left out',
  (t) => {
    t.equal(trial.claimAt('77.88.9.1')?.country, 'RU');
    t.equal(trial.claimAt('81.2.69.1')?.cityId, 2643743);
    t.equal(trial.claimAt('198.17.0.1')?.country, 'US');
    t.equal(trial.claimAt('198.18.0.1'), undefined);
    t.equal(trial.claimAt('1.2.3.4'), undefined);
    t.equal(trial.claimAt('91.187.96.1'), undefined);
    t.end();
  },
);

t.test(
  'only 1 in the column is_anycast marks a network, also in rows that differ in nothing else',
  async (t) => {
    const row = (network: string, isAnycast: string): string =>
      `${network},2635167,2635167,,0,0,,51.5,-0.12,10,${isAnycast}\n`;
    const rows = ['', '1', '0', '2', '1'].map((text, i) => row(`1.0.${i}.0/24`, text)).join('');
    const { claimAt } = await read(
      await edited(t, V4, (text) => text.slice(0, text.indexOf('\n') + 1) + rows),
    );
    const marks = [0, 1, 2, 3, 4].map((i) => claimAt(`1.0.${i}.1`)?.anycast);
    t.same(marks, [undefined, 'listed', undefined, undefined, 'listed']);
    t.match(claimAt('1.0.1.1'), { country: 'GB', latitude: 51.5 });
  },
);

t.test('older files without is_anycast and columns in another order give the same places', async (t) => {
  const plain = (text: string) =>
    text.replace(/^91\.187\.10[0-5].*\n/gm, '').replaceAll('"EC1A 1BB"', 'EC1A');
  const turned = (line: string) => [...line.split(',').slice(1), line.split(',')[0]].join(',');
  const { anycast, ...google } = trial.claimAt('8.8.8.8')!;
  const editions = [
    [(text: string) => text.replace(/,[^,\n]*$/gm, ''), google],
    [(text: string) => text.trimEnd().split('\n').map(turned).join('\n'), { ...google, anycast }],
  ] as const;
  for (const [edit, claim] of editions) {
    const { tally, networks, claimAt } = await read(await edited(t, V4, (text) => edit(plain(text))));
    t.equal(tally.rows, trial.tally.rows - 6);
    t.equal(tally.rejected, trial.tally.rejected - 6);
    t.equal(networks, trial.networks);
    t.same(claimAt('8.8.8.8'), claim);
  }
});

t.test('bad rows of the locations are rejected, and so are rows that refer to them', async (t) => {
  const { tally, claimAt } = await read(
    await edited(t, EN, (text) => text.replace(/^(1799962,.*),0$/m, '$1')),
  );
  t.equal(tally.rejections.columns?.count, 2);
  t.match(tally.rejections.columns?.examples[0]?.excerpt, /^1799962,en,AS,/);
  t.ok(tally.rejections.reference!.count > 1);
  t.not(claimAt('114.114.114.114')?.cityId, 1799962);
  t.equal(tally.rows, trial.tally.rows + 1);
});

t.test('coordinates must be numbers in range, and the radius a whole number of kilometres', async (t) => {
  const spots: [string, Partial<Claim>][] = [
    ['51.5,-0.12,10', { latitude: 51.5, longitude: -0.12, radiusKm: 10 }],
    ['-90,180,65535', { latitude: -90, longitude: 180, radiusKm: 65535 }],
    ['51.5,-0.12,', { latitude: 51.5, longitude: -0.12 }],
    ['0,0,10', {}],
    ['51.5,,10', {}],
    ['north,-0.12,10', {}],
    ['51.5,180.1,10', {}],
    ['1e1,5,10', {}],
    [',,10', {}],
    ['51.5,-0.12,0', { latitude: 51.5, longitude: -0.12 }],
    ['51.5,-0.12,1.5', { latitude: 51.5, longitude: -0.12 }],
  ];
  const rows = spots.map(([spot], i) => `1.0.${i}.0/24,2635167,,,0,0,,${spot},\n`).join('');
  const { tally, claimAt } = await read(
    await edited(t, V4, (text) => text.slice(0, text.indexOf('\n') + 1) + rows),
  );
  spots.forEach(([spot, claim], i) => {
    t.same(claimAt(`1.0.${i}.1`), { country: 'GB', ...claim }, spot);
  });
  t.equal(tally.notes.coordinates, 7);
});

t.test('the error for a changed header names the change', async (t) => {
  const refused = async (entry: string, edit: (text: string) => string | undefined, wanted: object) => {
    const trial = read(await edited(t, entry, edit));
    await t.rejects(trial, { name: 'FeedError', file: `geolite2/${SNAPSHOT}.zip`, ...wanted });
  };
  const first = (from: string, to: string) => (text: string) => text.replace(from, to);
  await refused(V4, first('longitude,', ''), {
    refusal: 'header',
    found: /Blocks-IPv4\.csv lacks column "longitude"$/,
  });
  await refused(V6, first('postal_code', 'zip'), {
    refusal: 'header',
    found: /lacks .*has unknown column "zip"/,
  });
  await refused(EN, first('time_zone,', ''), {
    refusal: 'header',
    found: /Locations-en\.csv lacks column "time_zone"/,
  });
  await refused(ZH, first('city_name', 'name'), { refusal: 'header', found: /Locations-zh-CN\.csv lacks/ });
  for (const entry of [V4, V6, EN, ZH]) {
    await refused(entry, () => undefined, {
      refusal: 'missing',
      found: /^no GeoLite2-City-\S+\.csv in the zip$/,
    });
    await refused(entry, () => '', { refusal: 'header', found: /has no header$/ });
  }
});

t.test('an HTML page or a truncated zip is refused', async (t) => {
  await t.rejects(read(fileOf(t, '<!doctype html><h1>Unauthorized</h1>')), {
    name: 'FeedError',
    refusal: 'container',
    found: /an HTML page: "<!doctype html><h1>Unauthorized/,
  });
  const whole = readFileSync(FIXTURE);
  for (const part of [0.1, 0.5, 0.9, 0.999]) {
    const cut = fileOf(t, whole.subarray(0, Math.floor(whole.length * part)));
    await t.rejects(read(cut), { name: 'FeedError', refusal: 'truncated' }, `cut at ${part}`);
  }
});

t.test('ten per cent of bad rows are counted and exceed the tolerance', async (t) => {
  const dirty = await edited(t, V4, (text) => {
    const spoil = (line: string, i: number) => (i % 10 === 1 ? line.replace('/', '/9') : line);
    return text.split('\n').map(spoil).join('\n');
  });
  const { tally } = await read(dirty);
  t.equal(tally.rows, trial.tally.rows);
  t.ok(tally.rejections.address!.count > 70);
  t.ok(tally.rejected / tally.rows > geolite2.tolerance);
});
