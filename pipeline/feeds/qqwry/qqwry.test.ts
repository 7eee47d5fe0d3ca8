import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import t, { type Test } from 'tap';
import { ipdbFile, type IpdbRow } from '../../../fixtures/generate/ipdb-file.js';
import { encodeGbk, qqwryDatFile } from '../../../fixtures/generate/qqwry-dat-file.js';
import { QQWRY_FIELDS, qqwryDat, qqwryIpdb, qqwryRows } from '../../../fixtures/generate/qqwry.js';
import { openFileAt, PROJECT_ROOT } from '../../../fixtures/open-file.js';
import { formatIpv4 } from '../../net/address.js';
import type { Claim } from '../../input/claims/claim.js';
import { FeedError } from '../../input/feed-error.js';
import { qqwry } from './qqwry.js';
import { fileOfBytes, tryFeed, type FeedTrial } from '../testing/feed-trial.js';

const IPDB = 'qqwry.ipdb';
const DAT = 'qqwry.dat';
const FIXTURE = join(PROJECT_ROOT, 'fixtures/feeds/qqwry', IPDB);
const rows = await qqwryRows(PROJECT_ROOT);
const datBytes = qqwryDat(rows);
const ipdbBytes = readFileSync(FIXTURE);
const fixture = await tryFeed(qqwry, [openFileAt(FIXTURE, 'plain')]);

async function tryBytes(t: Test, name: string, bytes: Buffer): Promise<FeedTrial> {
  return tryFeed(qqwry, [fileOfBytes(t, { feed: qqwry, name }, bytes)]);
}

t.test('the committed file has the content of its source', (t) => {
  t.ok(ipdbBytes.equals(qqwryIpdb(rows)), 'run the generator');
  t.end();
});

t.test('every row of both formats is counted, within the tolerance', async (t) => {
  const dat = await tryBytes(t, DAT, datBytes);
  const counts = [fixture.tally(IPDB), dat.tally(DAT)].map((tally) => {
    t.ok(tally.rejected <= tally.rows * qqwry.tolerance);
    const reasons = Object.entries(tally.rejections).map(([reason, { count }]) => `${reason} ${count}`);
    return [tally.rows, tally.accepted, tally.notes, reasons.sort()];
  });
  const refused = ['country 1', 'encoding 1', 'reserved 1'];
  t.same(counts, [
    [543, 540, { unknown: 4 }, refused],
    [916, 913, { unknown: 383 }, refused],
  ]);
  t.match(fixture.tally(IPDB).rejections.country?.examples[0]?.excerpt, /^202\.1\.0\.0\/24 骨干网\|骨干网/);
  t.match(dat.tally(DAT).rejections.country?.examples[0]?.excerpt, '202.1.0.0 骨干网 CZ88.NET');
});

t.test('rows of the fixture give place, ISP and organisation', (t) => {
  const cases: readonly [string, Claim | undefined][] = [
    ['1.0.2.1', { country: 'CN', region: 'CN-FJ', isp: '电信' }],
    ['1.34.0.1', { country: 'TW', cityName: '新北市', isp: '中华电信' }],
    ['1.35.0.1', { country: 'TW', cityName: '台北市', isp: '亚太电信' }],
    ['1.0.16.1', { country: 'JP', cityName: '东京', organisation: 'I2Ts Inc' }],
    ['2.56.255.1', { country: 'US', regionName: '加利福尼亚州', cityName: '洛杉矶' }],
    [
      '101.226.0.1',
      {
        country: 'CN',
        region: 'CN-SH',
        cityName: '上海',
        districtName: '虹口区',
        isp: '电信',
        organisation: 'IDC机房',
      },
    ],
    ['203.198.7.1', { country: 'HK', isp: '香港电讯盈科', organisation: 'PCCW' }],
    ['64.20.0.1', { country: 'US' }],
    ['202.12.28.1', undefined],
    ['10.1.2.3', undefined],
  ];
  for (const [address, claim] of cases) t.same(fixture.claimAt(address), claim, address);
  t.end();
});

t.test('equal content gives equal claims in both formats', async (t) => {
  const dat = await tryBytes(t, DAT, datBytes);
  for (const { start, end } of rows) {
    for (const address of [start, end].map(formatIpv4)) {
      t.same(dat.claimAt(address), fixture.claimAt(address), address);
    }
  }
  t.equal(dat.networks, fixture.networks);
});

t.test('one of the two files is enough; with both, the ipdb is read', async (t) => {
  const other = qqwryDatFile([
    { start: 0, end: 2 ** 32 - 1, place: encodeGbk('日本'), area: encodeGbk('CZ88.NET') },
  ]);
  t.same((await tryBytes(t, DAT, other)).claimAt('1.0.2.1'), { country: 'JP' });
  const both = await tryFeed(qqwry, [
    fileOfBytes(t, { feed: qqwry, name: DAT }, other),
    openFileAt(FIXTURE, 'plain'),
  ]);
  t.equal(both.claimAt('1.0.2.1')?.country, 'CN');
  t.equal(both.tally(DAT).rows, 0);
  await t.rejects(tryFeed(qqwry, []), { name: 'FeedError', refusal: 'missing' });
});

/** Creates a `qqwry.dat` with one record of these bytes, followed by the texts at 64 and 96. */
function oneRecord(body: readonly number[]): Buffer {
  const bytes = Buffer.alloc(128 + 7);
  bytes.writeUInt32LE(128, 0);
  bytes.writeUInt32LE(128, 4);
  bytes.writeUInt32LE(2 ** 32 - 1, 8);
  Buffer.from(body).copy(bytes, 12);
  encodeGbk('日本东京').copy(bytes, 64);
  encodeGbk('电信').copy(bytes, 96);
  bytes.writeUIntLE(8, 128 + 4, 3);
  return bytes;
}

t.test('records of qqwry.dat are read through valid redirects only', async (t) => {
  const tokyo = { country: 'JP', cityName: '东京' };
  const text = [...encodeGbk('日本东京'), 0];
  const cases: readonly [string, number[], Claim | 'pointer' | 'encoding'][] = [
    ['both inline', [...text, ...encodeGbk('电信'), 0], { ...tokyo, isp: '电信' }],
    ['place elsewhere', [2, 64, 0, 0, ...encodeGbk('移动'), 0], { ...tokyo, isp: '移动' }],
    ['area elsewhere, 02', [...text, 2, 96, 0, 0], { ...tokyo, isp: '电信' }],
    ['area elsewhere, 01', [...text, 1, 96, 0, 0], { ...tokyo, isp: '电信' }],
    ['no area', [...text, 2, 0, 0, 0], tokyo],
    ['both elsewhere', [1, 64, 0, 0], tokyo],
    [
      'both elsewhere, the place further on',
      [1, 16, 0, 0, 2, 64, 0, 0, 2, 96, 0, 0],
      { ...tokyo, isp: '电信' },
    ],
    ['a cycle', [1, 12, 0, 0], 'pointer'],
    ['a cycle of places', [2, 12, 0, 0], 'pointer'],
    ['a cycle of areas', [2, 64, 0, 0, 2, 16, 0, 0], 'pointer'],
    ['into the header', [2, 4, 0, 0], 'pointer'],
    ['into the index', [2, 128, 0, 0], 'pointer'],
    ['out of the file', [1, 255, 255, 255], 'pointer'],
    ['an area out of the file', [2, 64, 0, 0, 2, 255, 255, 255], 'pointer'],
    ['no GBK', [0xff, 0xff, 0, 0], 'encoding'],
    ['an area that is no GBK', [...text, 0xff, 0xff, 0], 'encoding'],
  ];
  for (const [name, body, said] of cases) {
    const trial = await tryBytes(t, DAT, oneRecord(body));
    if (typeof said === 'string') t.equal(trial.tally(DAT).rejections[said]?.count, 1, name);
    else t.same(trial.claimAt('1.0.0.1'), said, name);
    t.equal(trial.tally(DAT).rows, 1, name);
  }
});

t.test('records of qqwry.dat have no gaps', async (t) => {
  const place = encodeGbk('日本');
  const area = encodeGbk('CZ88.NET');
  const trial = await tryBytes(
    t,
    DAT,
    qqwryDatFile([
      { start: 0, end: 0x00ffffff, place, area },
      { start: 0x01000000, end: 0x01fffff0, place, area },
      { start: 0x02000000, end: 0x01ffffff, place, area },
      { start: 0x03000000, end: 2 ** 32 - 1, place, area },
    ]),
  );
  const { rows, rejections } = trial.tally(DAT);
  t.equal(rows, 4);
  t.equal(rejections.pointer?.count, 1);
  t.equal(rejections.inverted?.count, 1);
  // 0.0.0.0/8 is reserved.
  t.equal(rejections.reserved?.count, 1);
});

t.test('a qqwry.dat with an invalid index, or without the whole space, is refused', async (t) => {
  const refused = async (edit: (bytes: Buffer) => Buffer, refusal: string, found: RegExp) => {
    const file = tryBytes(t, DAT, edit(Buffer.from(datBytes)));
    await t.rejects(file, { name: 'FeedError', file: `qqwry/${DAT}`, refusal, found });
  };
  const set = (offset: number, add: number) => (bytes: Buffer) => {
    bytes.writeUInt32LE(bytes.readUInt32LE(offset) + add, offset);
    return bytes;
  };
  await refused((bytes) => bytes.subarray(0, 6), 'truncated', /ends inside its header/);
  await refused((bytes) => bytes.subarray(0, -1), 'truncated', /ends after \d+ of \d+ bytes/);
  await refused(set(4, 1), 'header', /invalid index from/);
  await refused(set(4, -7), 'truncated', /records from 0\.0\.0\.0 to 255\.255\.254\.255/);
  await refused(set(0, 7), 'truncated', /records from 1\.0\.0\.0 to 255\.255\.255\.255/);
  await refused(() => Buffer.from('version https://git-lfs.github.com/spec/v1\n'), 'header', /invalid index/);
});

const NAMES = ['country_name', 'region_name', 'city_name', 'owner_domain', 'isp_domain'];

function row(start: number, end: number, texts: string): IpdbRow {
  return { start, end, texts: texts.split('|').map((text) => Buffer.from(text)) };
}

t.test('fields of an ipdb are found by name among other fields', async (t) => {
  const one = ipdbFile(NAMES, [row(0x01000000, 0x01ffffff, '中国|广东|广州|x.com|电信')]);
  const other = ipdbFile(
    ['isp_domain', 'country_code', 'city_name', 'region_name', 'country_name'],
    [row(0x01000000, 0x01ffffff, '电信|CN|广州|广东|中国')],
  );
  for (const bytes of [one, other]) {
    const trial = await tryBytes(t, IPDB, bytes);
    t.same(trial.claimAt('1.2.3.4'), { country: 'CN', region: 'CN-GD', cityName: '广州', isp: '电信' });
  }
  const lacking = ipdbFile(['country_name', 'city_name'], [row(1, 1, '中国|广州')]);
  await t.rejects(tryBytes(t, IPDB, lacking), { name: 'FeedError', found: /region_name/ });
});

t.test('bad records and nodes of an ipdb are counted by reason', async (t) => {
  const half = (second: string) =>
    ipdbFile(NAMES, [row(0x40000000, 0x7fffffff, '日本|日本|||'), row(0x80000000, 0xbfffffff, second)]);
  const reasonsOf = async (bytes: Buffer) => {
    const { rejections, rows } = (await tryBytes(t, IPDB, bytes)).tally(IPDB);
    t.equal(rows, 2);
    return Object.entries(rejections).map(([reason, { count }]) => `${reason} ${count}`);
  };
  const good = half('中国|广东|广州||电信');
  const nodes = 4 + good.readUInt32BE(0);
  /** 0.0.0.0/1 and 128.0.0.0/1 are below node 96. Each of their nodes has one record and one empty side. */
  const recordOfSecond = good.indexOf('中国') - 2;
  const left = nodes + 97 * 8;
  const edited = (edit: (bytes: Buffer) => void) => {
    const bytes = Buffer.from(good);
    edit(bytes);
    return bytes;
  };
  t.same(await reasonsOf(good), []);
  t.same(await reasonsOf(half('中国|广东|广州|电信')), ['columns 1']);
  t.same(await reasonsOf(edited((bytes) => bytes.writeUInt16BE(60000, recordOfSecond))), ['pointer 1']);
  t.same(await reasonsOf(edited((bytes) => bytes.writeUInt8(0xff, recordOfSecond + 2))), ['encoding 1']);
  t.same(await reasonsOf(edited((bytes) => bytes.writeUInt32BE(0xfffffff0, left + 4))), ['pointer 1']);
  t.same(await reasonsOf(edited((bytes) => bytes.writeUInt32BE(96, left + 4))), ['pointer 1'], 'a cycle');
});

t.test('an ipdb with an invalid header is refused', async (t) => {
  const headerBytes = ipdbBytes.readUInt32BE(0);
  const withHeader = (edit: (header: string) => string) => {
    const header = Buffer.from(edit(ipdbBytes.toString('utf8', 4, 4 + headerBytes)));
    const length = Buffer.alloc(4);
    length.writeUInt32BE(header.length);
    return Buffer.concat([length, header, ipdbBytes.subarray(4 + headerBytes)]);
  };
  const refused = async (bytes: Buffer, refusal: string, found: RegExp) => {
    const trial = tryBytes(t, IPDB, bytes);
    await t.rejects(trial, { name: 'FeedError', file: `qqwry/${IPDB}`, refusal, found });
  };
  const replaced = (from: string | RegExp, to: string) => withHeader((header) => header.replace(from, to));
  await refused(Buffer.from('version https://git-lfs.github.com/spec/v1\n'), 'container', /not an ipdb file/);
  await refused(Buffer.from([0, 0]), 'container', /not an ipdb file/);
  await refused(Buffer.concat([ipdbBytes, Buffer.alloc(1)]), 'truncated', /bytes after the header/);
  await refused(ipdbBytes.subarray(0, 60), 'truncated', /ends inside its header/);
  await refused(replaced('"CN"', '"EN"'), 'header', /no language CN/);
  await refused(replaced('"ip_version":1', '"ip_version":2'), 'header', /no IPv4/);
  await refused(replaced(/"node_count":\d+/, '"node_count":50'), 'header', /no node at ::ffff:0:0\/96/);
  await refused(replaced(/"node_count":\d+/, '"node_count":900000'), 'header', /do not fit/);
  await refused(replaced('"fields"', '"felder"'), 'header', /invalid JSON header/);
  await refused(replaced('}', ','), 'header', /invalid JSON header/);
});

t.test('both formats are refused when truncated anywhere', async (t) => {
  for (const [name, bytes] of [
    [IPDB, ipdbBytes],
    [DAT, datBytes],
  ] as const) {
    const step = Math.floor(bytes.length / 80);
    for (let length = 0; length < bytes.length; length += step) {
      await t.rejects(tryBytes(t, name, bytes.subarray(0, length)), FeedError, `${name}: ${length} bytes`);
    }
  }
});

t.test('after byte flips the file is refused or every row is counted, without endless loops', async (t) => {
  for (const [name, bytes] of [
    [IPDB, ipdbBytes],
    [DAT, datBytes],
  ] as const) {
    const step = Math.floor(bytes.length / 150);
    for (let at = 0; at < bytes.length; at += step) {
      const flipped = Buffer.from(bytes);
      flipped[at] = flipped[at]! ^ 0xff;
      try {
        const { rows: read, accepted, rejected } = (await tryBytes(t, name, flipped)).tally(name);
        t.equal(read, accepted + rejected);
        if (name === DAT) t.equal(read, rows.length, `${name}: byte ${at}`);
      } catch (error) {
        t.ok(error instanceof FeedError, `${name}: byte ${at}: ${String(error)}`);
      }
    }
  }
});

t.test('the fixture has the fields of the generator', (t) => {
  t.match(ipdbBytes.toString('utf8', 4, 400), JSON.stringify(QQWRY_FIELDS));
  t.end();
});
