import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import t, { type Test } from 'tap';
import { openFileAt, PROJECT_ROOT } from '../../../fixtures/open-file.js';
import type { Claim } from '../../input/claims/claim.js';
import { FeedError } from '../../input/feed-error.js';
import { ip2region } from './ip2region.js';
import { fileOfBytes, tryFeed, type FeedTrial } from '../testing/feed-trial.js';

const V4 = 'ipv4_source.txt';
const V6 = 'ipv6_source.txt';
const FOLDER = join(PROJECT_ROOT, 'fixtures/feeds/ip2region');
const v4Bytes = readFileSync(join(FOLDER, V4));
const fixture = await tryFeed(
  ip2region,
  [V4, V6].map((name) => openFileAt(join(FOLDER, name), 'plain')),
);

/** Reads lines as the IPv4 file. */
async function tryLines(t: Test, lines: readonly string[], name = V4): Promise<FeedTrial> {
  return tryFeed(ip2region, [fileOfBytes(t, { feed: ip2region, name }, `${lines.join('\n')}\n`)]);
}

/** Adds empty rows around the rows, so that they cover all of IPv4. */
function filled(rows: readonly string[], blank: string): string[] {
  const edge = rows[0]!.split('|')[0]!.split('.')[0]!;
  const first = Number(edge);
  return [
    `0.0.0.0|${first - 1}.255.255.255|${blank}`,
    ...rows,
    `${first + 1}.0.0.0|255.255.255.255|${blank}`,
  ];
}

const CODED_BLANK = 'Reserved|Reserved|Reserved|0|0';

t.test('every row of both files is counted, within the tolerance', (t) => {
  t.equal(v4Bytes.toString('latin1').trimEnd().split('\n').length, 930);
  const counts = [V4, V6].map((name) => {
    const { rows, accepted, rejected, notes } = fixture.tally(name);
    t.ok(rejected <= rows * ip2region.tolerance, name);
    return { rows, accepted, rejected, notes };
  });
  t.same(counts, [
    { rows: 930, accepted: 923, rejected: 7, notes: { unknown: 391, clipped: 1 } },
    { rows: 361, accepted: 358, rejected: 3, notes: { unknown: 2, mapped: 1 } },
  ]);
  t.end();
});

t.test('each bad row is rejected once, with its reason and line', (t) => {
  const lines = (name: string) =>
    Object.fromEntries(
      Object.entries(fixture.tally(name).rejections).map(([reason, { count, examples }]) => {
        t.equal(count, 1, reason);
        return [reason, examples[0]!.position];
      }),
    );
  t.same(lines(V4), {
    country: 898,
    columns: 900,
    encoding: 902,
    address: 904,
    inverted: 906,
    family: 908,
    reserved: 916,
  });
  t.same(lines(V6), { reserved: 2, family: 4, inverted: 360 });
  t.match(
    fixture.tally(V4).rejections.country?.examples[0]?.excerpt,
    '201.222.32.0|201.222.47.255|安的列斯|',
  );
  t.end();
});

t.test('rows of the fixture give places in the spelling of the publisher', (t) => {
  const cases: readonly [string, Claim | undefined][] = [
    ['1.0.2.1', { country: 'CN', region: 'CN-FJ', cityName: '福州市', isp: '电信' }],
    ['223.5.5.5', { country: 'CN', region: 'CN-ZJ', cityName: '杭州市', isp: '阿里云' }],
    ['103.109.20.1', { country: 'CN', isp: 'vpsquan.com' }],
    ['202.100.225.1', { country: 'CN', region: 'CN-XJ', isp: '电信' }],
    ['222.240.0.1', { country: 'CN', region: 'CN-HN', cityName: '湘西', isp: '电信' }],
    ['203.186.94.1', { country: 'HK', isp: '香港宽频' }],
    ['203.198.7.1', { country: 'HK', cityName: 'Hong Kong', isp: 'PCCW' }],
    ['203.69.66.1', { country: 'TW' }],
    ['203.74.205.1', { country: 'TW', regionName: 'Taipei City', cityName: 'Taipei' }],
    ['202.86.128.1', { country: 'MO' }],
    ['8.8.4.4', { country: 'US', regionName: 'California', isp: 'Google LLC' }],
    [
      '199.58.80.1',
      { country: 'US', regionName: 'New York', cityName: 'New York', isp: '"Quoted" Networks, Inc.' },
    ],
    ['199.59.80.1', { country: 'US' }],
    ['202.12.28.1', undefined],
    ['193.1.0.1', { isp: 'GTT' }],
    ['90.84.0.1', { country: 'GP', regionName: 'Guadeloupe', cityName: 'Pointe-à-Pitre', isp: 'Orange' }],
    ['91.187.99.1', { country: 'XK', regionName: 'Pristina', cityName: 'Pristina' }],
    ['201.116.0.1', { country: 'MX', regionName: 'México', cityName: 'Toluca' }],
    ['61.10.0.1', { isp: '有线通' }],
    ['61.11.0.1', { country: 'IN' }],
    ['10.1.2.3', undefined],
    ['198.17.0.1', { country: 'US', isp: 'Level3' }],
    ['198.18.0.1', undefined],
    ['1.2.3.4', undefined],
  ];
  for (const [address, claim] of cases) t.same(fixture.claimAt(address), claim, address);
  t.match(fixture.claimAt('2001:200::1'), { country: 'JP' });
  t.end();
});

t.test('the three layouts give the same claims', async (t) => {
  const china = { country: 'CN', region: 'CN-FJ', cityName: '福州市', isp: '电信' };
  const layouts: readonly [string, string, string[]][] = [
    ['current', CODED_BLANK, ['中国|福建省|福州市|电信|CN', '美国|0|0|0|US']],
    ['up to 2.x', '0|0|0|内网IP|内网IP', ['中国|0|福建省|福州市|电信', '美国|0|0|0|0']],
    ['2025', '0|0|0|0', ['中国|福建省|福州市|电信', '美国|0|0|0']],
  ];
  for (const [name, blank, [first, second]] of layouts) {
    const trial = await tryLines(
      t,
      filled([`1.0.0.0|1.127.255.255|${first!}`, `1.128.0.0|1.255.255.255|${second!}`], blank),
    );
    t.same(trial.claimAt('1.0.1.1'), china, name);
    t.same(trial.claimAt('1.200.0.1'), { country: 'US' }, name);
    t.same(trial.tally(V4).notes, { unknown: 2 }, name);
  }
});

t.test('two letters at the end may be an ISP and do not imply the current layout', async (t) => {
  const old = ['1.0.0.0|1.127.255.255|英国|0|0|0|BT', '1.128.0.0|1.255.255.255|印度尼西亚|0|0|0|XL'];
  const trial = await tryLines(t, filled(old, '0|0|0|内网IP|内网IP'));
  t.same(trial.claimAt('1.0.0.1'), { country: 'GB', isp: 'BT' });
  t.same(trial.claimAt('1.200.0.1'), { country: 'ID', isp: 'XL' });
});

t.test('the first thousand rows decide the layout, which the others must have', async (t) => {
  const row = (i: number, texts: string) => `1.${i >> 8}.${i & 255}.0|1.${i >> 8}.${i & 255}.255|${texts}`;
  const rows = Array.from({ length: 1500 }, (_, i) => row(i, '中国|福建省|福州市|电信|CN'));
  rows[1200] = row(1200, '中国|0|福建省|福州市|电信');
  rows[1300] = row(1300, '中国|福建省|福州市|电信');
  rows.push('1.5.220.0|1.255.255.255|中国|0|0|0|CN');
  const { rejections, accepted } = (await tryLines(t, filled(rows, CODED_BLANK))).tally(V4);
  t.same(
    rejections.columns?.examples.map(({ position }) => position),
    [1202, 1302],
  );
  t.equal(accepted, 1501);
});

t.test('the code decides the country; without it, a text that is not a country is rejected', async (t) => {
  const countries: readonly [string, string | undefined][] = [
    ['法国|0|0|0|GP', 'GP'],
    ['Neverland|0|0|0|SE', 'SE'],
    ['中国|香港|0|0|CN', 'HK'],
    ['香港|0|0|0|CN', 'HK'],
    ['中国|0|0|0|TW', 'TW'],
    ['Sweden|0|0|0|0', 'SE'],
    ['Sweden|0|0|0|EU', 'SE'],
    ['|||0|NO', 'NO'],
    ['Neverland|0|0|0|0', undefined],
    ['Sweden|0|0|0|XX', undefined],
  ];
  const rows = countries.map(([texts], i) => `1.${i}.0.0|1.${i}.255.255|${texts}`);
  const trial = await tryLines(t, filled([...rows, '1.10.0.0|1.255.255.255|0|0|0|0|0'], CODED_BLANK));
  countries.forEach(([texts, country], i) => t.equal(trial.claimAt(`1.${i}.0.1`)?.country, country, texts));
  t.equal(trial.tally(V4).rejections.country?.count, 2);
  t.equal(trial.tally(V4).rows, 13);
});

t.test('a repeated row is a duplicate; with other content it is a conflict and is dropped', async (t) => {
  const rows = ['中国|0|0|0|CN', '中国|0|0|0|CN', '日本|0|0|0|JP'].map(
    (one) => `1.0.0.0|1.255.255.255|${one}`,
  );
  const trial = await tryLines(t, filled(rows, CODED_BLANK));
  t.same(trial.claimAt('1.0.0.1'), { country: 'CN' });
  t.same(trial.tally(V4).notes, { unknown: 2, duplicate: 1, conflict: 1 });
});

t.test('a byte order mark and CRLF are accepted', async (t) => {
  const lines = filled(['1.0.0.0|1.255.255.255|中国|福建省|0|0|CN'], CODED_BLANK);
  const file = fileOfBytes(t, { feed: ip2region, name: V4 }, `\ufeff${lines.join('\r\n')}\r\n`);
  const trial = await tryFeed(ip2region, [file]);
  t.same(trial.claimAt('1.0.0.1'), { country: 'CN', region: 'CN-FJ' });
  t.equal(trial.tally(V4).rejected, 0);
});

t.test('another file is refused', async (t) => {
  const refused = async (text: string, wanted: object) => {
    const file = fileOfBytes(t, { feed: ip2region, name: V4 }, text);
    await t.rejects(tryFeed(ip2region, [file]), { name: 'FeedError', file: `ip2region/${V4}`, ...wanted });
  };
  await refused('version https://git-lfs.github.com/spec/v1\noid sha256:00\nsize 1868371038\n', {
    refusal: 'container',
    found: /Git LFS pointer/,
  });
  await refused('<!doctype html><h1>404</h1>', { refusal: 'container', found: /an HTML page/ });
  await refused('0.0.0.0|255.255.255.255|中国\n', { refusal: 'header', found: /unknown layout: .*中国/ });
  await refused('0.0.0.0|255.255.255.255|中国|0|0|0|0\n', { refusal: 'header' });
  await refused('\n\n', { refusal: 'header' });
});

t.test('an IPv4 file with a gap, or an end before the last address, is refused', async (t) => {
  const lines = v4Bytes.toString('latin1').trimEnd().split('\n');
  const refused = async (kept: readonly string[], found: RegExp) => {
    const file = fileOfBytes(t, { feed: ip2region, name: V4 }, Buffer.from(kept.join('\n'), 'latin1'));
    await t.rejects(tryFeed(ip2region, [file]), { name: 'FeedError', refusal: 'truncated', found });
  };
  await refused(lines.slice(1), /no row for 0\.0\.0\.0-0\.255\.255\.255 before line 1/);
  await refused(
    lines.filter((_, i) => i !== 3),
    /no row for 1\.0\.2\.0-1\.0\.3\.255 before line 4/,
  );
  await refused(lines.slice(0, -1), /no row for 224\.0\.0\.0-255\.255\.255\.255 at the end/);
  await refused(
    [...lines.slice(0, -1), lines.at(-1)!.slice(0, 20)],
    /no row for 224\.0\.0\.0-255\.255\.255\.255 at the end/,
  );
});

t.test('a gap after a rejected row is accepted', async (t) => {
  const rows = ['1.0.0.0|1.100.0.999|中国|0|0|0|CN', '1.128.0.0|1.255.255.255|日本|0|0|0|JP'];
  const trial = await tryLines(t, filled(rows, CODED_BLANK));
  t.equal(trial.tally(V4).rejections.address?.count, 1);
  t.same(trial.claimAt('1.128.0.1'), { country: 'JP' });
});

t.test('an IPv6 file may have gaps and end anywhere', async (t) => {
  const row = '2001:200::|2001:200:ffff:ffff:ffff:ffff:ffff:ffff|日本|东京都|东京|0|JP';
  const trial = await tryLines(t, [`::|::|${CODED_BLANK}`, row], V6);
  t.same(trial.claimAt('2001:200::1'), { country: 'JP', regionName: '东京都', cityName: '东京' });
});

t.test('an IPv4 file truncated anywhere is refused', async (t) => {
  for (let i = 1; i < 60; i++) {
    // A prime step meets lines at every place.
    const cut = fileOfBytes(t, { feed: ip2region, name: V4 }, v4Bytes.subarray(0, i * 857));
    await t.rejects(tryFeed(ip2region, [cut]), FeedError, `${i * 857} bytes`);
  }
});

t.test('after a byte flip the file is refused or every row is counted', async (t) => {
  for (let i = 0; i < 60; i++) {
    const bytes = Buffer.from(v4Bytes);
    const at = i * 853 + 11;
    bytes[at] = bytes[at]! ^ 0x55;
    const file = fileOfBytes(t, { feed: ip2region, name: V4 }, bytes);
    try {
      const { rows, accepted, rejected } = (await tryFeed(ip2region, [file])).tally(V4);
      t.equal(rows, accepted + rejected);
      t.ok(rows >= 929, `byte ${at}: ${rows} rows`);
    } catch (error) {
      t.ok(error instanceof FeedError, `byte ${at}: ${String(error)}`);
    }
  }
});

t.test('ten per cent of bad rows are counted and exceed the tolerance', async (t) => {
  const dirty = v4Bytes
    .toString('latin1')
    .split('\n')
    .map((line, i) => (i % 10 === 5 ? line.replace('|', '|x') : line))
    .join('\n');
  const file = fileOfBytes(t, { feed: ip2region, name: V4 }, Buffer.from(dirty, 'latin1'));
  const { rows, rejected } = (await tryFeed(ip2region, [file])).tally(V4);
  t.equal(rows, 930);
  t.ok(rejected > rows * ip2region.tolerance);
});
