import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import t, { type Test } from 'tap';
import { zipFile } from '../../../fixtures/generate/zip-file.js';
import { PROJECT_ROOT } from '../../../fixtures/open-file.js';
import { parseDay } from '../days.js';
import type { ListClaim } from '../list-claim.js';
import { tryContents, tryFiles, type ListTrial } from '../testing/list-trial.js';
import { IP2PROXY } from './ip2proxy.js';
import { PRODUCTS, type Product } from './ip2proxy-columns.js';

const V4 = 'ip2proxy/IP2PROXY-LITE-PX12.CSV.ZIP';
const V6 = 'ip2proxy/IP2PROXY-LITE-PX12.IPV6.CSV.ZIP';
const SOURCES = join(PROJECT_ROOT, 'fixtures/sources');
/** The day of every zip in these tests. */
const DAY = parseDay('2026-11-17')!;
const trial = await tryFiles(IP2PROXY, [V4, V6]);

/** The columns of PX12 after the addresses. */
const COLUMNS =
  '"VPN","GB","United Kingdom","England","London","M247, Ltd.","m247.com","DCH","9009","M247 Europe SRL","4","SPAM/SCANNER","NordVPN","99"';

/** The number of these columns in each product. PX1 lacks the first one. */
const WIDTHS: Readonly<Record<Product, number>> = {
  1: 2,
  2: 3,
  3: 5,
  4: 6,
  5: 7,
  6: 8,
  7: 10,
  8: 11,
  9: 12,
  10: 12,
  11: 13,
  12: 14,
};

/** Creates a row for 1.1.1.0/24 in the layout of a product. */
function row(product: Product, network = '"16843008","16843263"'): string {
  const columns = COLUMNS.match(/"[^"]*"/g)!;
  return [network, ...columns.slice(product === 1 ? 1 : 0).slice(0, WIDTHS[product])].join(',');
}

/** Creates a row of PX12 with other texts in some columns. */
function px12(
  texts: Readonly<Record<number, string>>,
  network: readonly string[] = ['"16843008"', '"16843263"'],
): string {
  const columns = COLUMNS.match(/"[^"]*"/g)!.map((text, i) =>
    texts[i] === undefined ? text : `"${texts[i]}"`,
  );
  return [...network, ...columns].join(',');
}

/** The positions of columns of PX12 after the addresses. */
const AT = { type: 0, isp: 5, domain: 6, usage: 7, lastSeen: 10, threat: 11, provider: 12, score: 13 };

function zipOf(...lines: string[]): Buffer {
  return zipFile([{ name: 'table.CSV', bytes: Buffer.from(lines.map((line) => `${line}\n`).join('')) }]);
}

/** Returns the claim of one row of PX12 for 1.1.1.1. */
async function claimOf(t: Test, texts: Readonly<Record<number, string>>): Promise<ListClaim | undefined> {
  const { claimAt, tally } = await tryContents(t, IP2PROXY, { [V4]: zipOf(px12(texts)) });
  t.equal(tally(V4).accepted, 1);
  return claimAt('1.1.1.1');
}

t.test('every row of both files is counted, within the tolerance', (t) => {
  for (const [id, accepted, rejections, notes] of [
    [V4, 121, ['reserved@122'], {}],
    [V6, 133, ['reserved@124'], { mapped: 122 }],
  ] as const) {
    const lines = readFileSync(join(SOURCES, id.replace('.ZIP', '')), 'latin1')
      .trimEnd()
      .split('\n');
    const tally = trial.tally(id);
    t.equal(tally.rows, lines.length, id);
    t.equal(tally.accepted, accepted, id);
    t.same(trial.rejections(id), rejections, id);
    t.same(tally.notes, notes, id);
    t.ok(tally.rejected <= tally.rows * IP2PROXY.tolerance, id);
  }
  t.end();
});

t.test('a row gives type, provider, usage, ISP, domain, threats, score and the day it was last seen', (t) => {
  t.same(trial.claimAt('1.1.1.1'), {
    type: 'DCH',
    usageType: 'CDN',
    isp: 'APNIC and CloudFlare DNS Resolver Project',
    domain: 'cloudflare.com',
    fraudScore: 0,
    lastSeen: DAY - 1,
  });
  t.same(trial.claimAt('185.244.213.10'), {
    type: 'VPN',
    provider: 'ExpressVPN',
    usageType: 'DCH',
    isp: 'M247 Europe SRL',
    domain: 'm247.com',
    threats: ['SPAM'],
    fraudScore: 99,
    lastSeen: DAY - 29,
  });
  t.same(trial.claimAt('51.68.204.139')?.threats, ['SPAM', 'SCANNER', 'BOTNET']);
  t.match(trial.claimAt('179.1.192.18'), { usageType: 'ISP/MOB', domain: undefined }, 'kept as published');
  t.equal(trial.claimAt('23.235.33.1')?.isp, 'Fastly, Inc.', 'a comma inside quotes');
  t.match(trial.claimAt('2.0.15.142'), { type: 'PUB', lastSeen: DAY - 30 }, '30 days and more');
  t.end();
});

t.test('a range that is not a prefix keeps its ends', (t) => {
  t.equal(trial.claimAt('37.120.130.0'), undefined);
  for (const address of ['37.120.130.1', '37.120.130.32', '37.120.130.62'])
    t.equal(trial.claimAt(address)?.provider, 'NordVPN', address);
  t.equal(trial.claimAt('37.120.130.63'), undefined);
  t.equal(trial.claimAt('2a0d:5600:24::3e')?.type, 'VPN');
  t.equal(trial.claimAt('2a0d:5600:24::3f'), undefined);
  t.end();
});

t.test('integers of 39 digits are read exactly, and IPv4 rows of the IPv6 file are dropped', async (t) => {
  t.match(trial.claimAt('2c0f:feb0:1f:70f3:9d5d:8c2a:1:9'), { type: 'RES', provider: 'Webshare' });
  t.equal(trial.claimAt('2c0f:feb0:1f:70f3:9d5d:8c2a:1:8'), undefined);
  const alone = await tryFiles(IP2PROXY, [V6]);
  t.equal(alone.claimAt('1.1.1.1'), undefined);
  t.equal(alone.claimAt('2606:4700::1')?.usageType, 'CDN');
  t.same(alone.log, ['no IPv4 file: IPv4-mapped rows of the IPv6 file are dropped']);
});

t.test('reserved space in the file is removed', (t) => {
  t.equal(trial.claimAt('192.168.10.1'), undefined);
  t.equal(trial.claimAt('2001:db8:1::1'), undefined);
  t.end();
});

t.test('every product gives the claims of its columns', async (t) => {
  const whole: ListClaim = {
    type: 'VPN',
    isp: 'M247, Ltd.',
    domain: 'm247.com',
    usageType: 'DCH',
    lastSeen: DAY - 4,
    threats: ['SPAM', 'SCANNER'],
    provider: 'NordVPN',
    fraudScore: 99,
  };
  const since = {
    type: 2,
    isp: 4,
    domain: 5,
    usageType: 6,
    lastSeen: 8,
    threats: 9,
    provider: 11,
    fraudScore: 12,
  };
  for (const product of PRODUCTS.slice(1)) {
    const expected = Object.entries(whole).filter(([key]) => since[key as keyof typeof since] <= product);
    for (const [form, line] of [
      ['CSV', row(product)],
      ['CIDR', row(product, '1.1.1.0/24')],
    ] as const) {
      const id = `ip2proxy/IP2PROXY-LITE-PX${product}.${form}.ZIP`;
      const { claimAt } = await tryContents(t, IP2PROXY, { [id]: zipOf(line) });
      t.same(claimAt('1.1.1.9'), Object.fromEntries(expected), id);
      t.equal(claimAt('1.1.2.0'), undefined, id);
    }
  }
});

t.test('rows of PX1, which have no type, are counted as unknown, and this is logged', async (t) => {
  const id = 'ip2proxy/IP2PROXY-LITE-PX1.CSV.ZIP';
  const { claimAt, log, tally } = await tryContents(t, IP2PROXY, { [id]: zipOf(row(1), row(1)) });
  t.equal(claimAt('1.1.1.1'), undefined);
  t.equal(tally(id).accepted, 2);
  t.same(tally(id).notes, { unknown: 2 });
  t.same(log, [`${id} has no proxy types: its rows are counted as unknown`]);
});

t.test('a file with other columns than its product is refused', async (t) => {
  for (const product of PRODUCTS) {
    for (const other of PRODUCTS) {
      if (WIDTHS[product] === WIDTHS[other]) continue;
      const id = `ip2proxy/IP2PROXY-LITE-PX${product}.CSV`;
      const result = tryContents(t, IP2PROXY, { [id]: `${row(other)}\n` });
      await t.rejects(result, { name: 'FeedError', refusal: 'header', file: id }, `${product} as ${other}`);
    }
  }
  const found = '16 columns, the first is "ip_from": expected 15 columns for PX12';
  const named = tryContents(t, IP2PROXY, { [V4]: zipOf(px12({}, ['ip_from', 'ip_to'])) });
  await t.rejects(named, { name: 'FeedError', refusal: 'header', found });
});

t.test('the file names of the publisher give product, edition and family', async (t) => {
  const name =
    'PX11-IP-PROXYTYPE-COUNTRY-REGION-CITY-ISP-DOMAIN-USAGETYPE-ASN-LASTSEEN-THREAT-RESIDENTIAL-PROVIDER';
  const names = IP2PROXY.files.map((file) => file.name);
  t.equal(new Set(names).size, names.length);
  for (const one of [
    'IP2PROXY-LITE-PX11.CSV.ZIP',
    'IP2PROXY-LITE-PX11.IPV6.CSV.ZIP',
    'IP2PROXY-PX12.CSV.ZIP',
    'IP2PROXY-PX12.IPV6.CSV',
    'IP2PROXY-LITE-PX2.CIDR.CSV',
    'PX1-LITE-IP-COUNTRY.ZIP',
    'PX2-IPV6-PROXYTYPE-COUNTRY.ZIP',
    `${name}.ZIP`,
  ])
    t.ok(names.includes(one), one);
  const paid = await tryContents(t, IP2PROXY, { [`ip2proxy/${name}.ZIP`]: zipOf(row(11)) });
  t.match(paid.claimAt('1.1.1.1'), { type: 'VPN', evidence: 'commercial' });
  const foreign = tryContents(t, IP2PROXY, { 'ip2proxy/IP2PROXY.CSV': `${row(12)}\n` });
  await t.rejects(foreign, { name: 'FeedError', refusal: 'header' });
});

t.test('both families of one product are downloaded', (t) => {
  const urls = IP2PROXY.files.flatMap(({ download }) => (download ? [download.url] : []));
  t.same(urls, [
    'https://www.ip2location.com/download?token={IP2LOCATION_TOKEN}&code=PX12LITECSV',
    'https://www.ip2location.com/download?token={IP2LOCATION_TOKEN}&code=PX12LITECSVIPV6',
  ]);
  t.end();
});

t.test('a file that is not packed has no day, and so its rows have none', async (t) => {
  const id = 'ip2proxy/IP2PROXY-LITE-PX12.CSV';
  const { claimAt } = await tryContents(t, IP2PROXY, { [id]: `${px12({})}\n` });
  t.match(claimAt('1.1.1.1'), { type: 'VPN', lastSeen: undefined });
});

t.test('dashes and empty texts are absent, and 0 is a score', async (t) => {
  const blank = Object.fromEntries(COLUMNS.match(/"[^"]*"/g)!.map((_, i) => [i, i % 2 ? '-' : '']));
  t.same(await claimOf(t, { ...blank, [AT.type]: 'WEB', [AT.score]: '0' }), { type: 'WEB', fraudScore: 0 });
  const { tally, table } = await tryContents(t, IP2PROXY, { [V4]: zipOf(px12(blank)) });
  t.same(tally(V4).notes, { unknown: 1 });
  t.equal(table.networkCount(), 0);
});

t.test('unknown types and usage types are kept, types in upper case', async (t) => {
  const claim = await claimOf(t, { [AT.type]: 'xyz', [AT.usage]: 'ABC/def', [AT.threat]: 'spam/-/NEW/SPAM' });
  t.match(claim, { type: 'XYZ', usageType: 'ABC/def', threats: ['SPAM', 'NEW'] });
});

t.test('an address without a type keeps its other fields, with the note `unknown`', async (t) => {
  const { claimAt, tally } = await tryContents(t, IP2PROXY, { [V4]: zipOf(px12({ [AT.type]: '-' })) });
  t.match(claimAt('1.1.1.1'), { type: undefined, usageType: 'DCH' });
  t.same(tally(V4).notes, { unknown: 1 });
});

t.test('each bad row is rejected with its reason and line', async (t) => {
  const { rejections } = await tryContents(t, IP2PROXY, {
    [V4]: zipOf(
      px12({}),
      row(11),
      px12({}, ['"x"', '"16843263"']),
      px12({}, ['"016843008"', '"16843263"']),
      px12({}, ['"16843263"', '"16843008"']),
      px12({}, ['"281470698520576"', '"281470698520831"']),
      px12({ [AT.isp]: 'a"b' }),
      px12({ [AT.lastSeen]: 'today' }),
      px12({ [AT.lastSeen]: '-1' }),
      px12({ [AT.score]: '100' }),
      px12({}, ['"2130706433"', '"2130706433"']),
    ),
  });
  t.same(rejections(V4), [
    'address@3',
    'address@4',
    'columns@10',
    'columns@2',
    'date@8',
    'date@9',
    'family@6',
    'inverted@5',
    'quoting@7',
    'reserved@11',
  ]);
  const v6 = await tryContents(t, IP2PROXY, {
    [V6]: zipOf(
      px12({}, ['"42540578165212013314015881281614643200"', '"42540578165212013314015881281614643200"']),
      px12({}),
    ),
  });
  t.same(v6.rejections(V6), ['family@2']);
});

t.test('the CIDR variant gives the same claims, without mapped prefixes', async (t) => {
  const v4 = 'ip2proxy/IP2PROXY-PX12.CIDR.CSV';
  const v6 = 'ip2proxy/IP2PROXY-PX12.IPV6.CIDR.CSV';
  const lines = (...networks: string[]): string => networks.map((one) => `${px12({}, [one])}\n`).join('');
  const { claimAt, rejections, tally } = await tryContents(t, IP2PROXY, {
    [v4]: lines('1.0.0.0/24', '1.1.1.7/24', '1.1.2.0/33', '2606:4700::/32'),
    [v6]: lines('::ffff:1.2.3.0/120', '2606:4700::/44', '1.0.1.0/24'),
  });
  t.match(claimAt('1.1.1.255'), { type: 'VPN', evidence: 'commercial', fraudScore: 99 });
  t.same(tally(v4).notes, { 'host-bits': 1 });
  t.same(rejections(v4), ['address@3', 'family@4']);
  t.same(tally(v6).notes, { mapped: 1 });
  t.same(rejections(v6), ['family@3']);
  t.equal(claimAt('1.2.3.4'), undefined);
  t.equal(claimAt('2606:4700::1')?.type, 'VPN');
});

t.test('a file with a prefix wider than any operator’s is refused', async (t) => {
  for (const [id, network] of [
    [V4, ['"0"', '"4294967295"']],
    [V4, ['0.0.0.0/0']],
    [V4, ['"16777216"', '"67108863"']],
    [V6, ['"0"', '"340282366920938463463374607431768211455"']],
    [V6, ['2000::/3']],
  ] as const) {
    const result = tryContents(t, IP2PROXY, { [id]: zipOf(px12({}, network)) });
    await t.rejects(result, { name: 'FeedError', refusal: 'too-wide', file: id }, network.join());
  }
});

t.test('an HTML page, a text or an empty file is refused', async (t) => {
  const plain = V4.replace('.ZIP', '');
  for (const [id, content, refusal] of [
    [V4, '<!DOCTYPE html><html><body>503</body></html>', 'container'],
    [V4, 'NO PERMISSION', 'container'],
    [V4, '', 'truncated'],
    [V4, zipOf(), 'truncated'],
    [V4, zipFile([{ name: 'README_LITE.TXT', bytes: Buffer.from('x') }]), 'missing'],
    [plain, '<!DOCTYPE html><html><body>503</body></html>', 'container'],
    [plain, 'NO PERMISSION\n', 'header'],
    [plain, '', 'truncated'],
    [plain, zipOf(px12({})), 'container'],
  ] as const) {
    const result = tryContents(t, IP2PROXY, { [id]: content });
    await t.rejects(result, { name: 'FeedError', refusal, file: id }, `${id} ${refusal}`);
  }
});

t.test('a truncated zip is refused, and so is a table truncated inside a row', async (t) => {
  const whole = readFileSync(join(PROJECT_ROOT, 'fixtures/feeds', V4));
  for (let size = 0; size < whole.length; size += size < 40 ? 1 : 211) {
    const cut = tryContents(t, IP2PROXY, { [V4]: whole.subarray(0, size) });
    await t.rejects(cut, { name: 'FeedError', refusal: 'truncated' }, `at byte ${size}`);
  }
  const id = V4.replace('.ZIP', '');
  const text = `${px12({})}\n${px12({}, ['"16843264"', '"16843519"'])}\n`;
  for (let size = text.indexOf('\n') + 2; size < text.length; size++) {
    const cut = tryContents(t, IP2PROXY, { [id]: text.slice(0, size) });
    await t.rejects(cut, { name: 'FeedError', refusal: 'truncated' }, `at byte ${size}`);
  }
});

t.test('a flipped byte in a zip never gives other rows', async (t) => {
  const whole = readFileSync(join(PROJECT_ROOT, 'fixtures/feeds', V4));
  const good = said(await tryFiles(IP2PROXY, [V4]));
  for (let at = 0; at < whole.length; at += 89) {
    const bytes = Buffer.from(whole);
    bytes[at]! ^= 0x55;
    const read = await tryContents(t, IP2PROXY, { [V4]: bytes }).then(said, (error: unknown) => error);
    if (typeof read === 'string') t.equal(read, good, `byte ${at}`);
    else t.match(read, { name: 'FeedError' }, `byte ${at}`);
  }
});

/** Prints the claims of a trial without days, which come from the zip directory and have no checksum. */
function said({ claims, table }: ListTrial): string {
  return JSON.stringify([table.networkCount(), claims.map((claim) => ({ ...claim, lastSeen: undefined }))]);
}

t.test('RES is never usage DCH', (t) => {
  checkInvariants(t, trial);
  t.end();
});

function checkInvariants(t: Test, { claims }: ListTrial): void {
  const residential = claims.filter(({ type }) => type === 'RES');
  t.ok(residential.length > 0);
  t.same(
    residential.filter(({ usageType }) => usageType?.split('/').includes('DCH')),
    [],
  );
  t.same(
    claims.filter(({ type, fraudScore = 0 }) => type === undefined || fraudScore > 99),
    [],
  );
}

/** The publisher's evaluation sample among the real files. */
const REAL = join(PROJECT_ROOT, '../shared/data/feeds');
const skip = existsSync(join(REAL, 'ip2proxy')) ? false : `no files in ${REAL}/ip2proxy`;

t.test('every row of the real files is counted', { skip }, async (t) => {
  for (const [product, rows, native] of [
    [11, 9518, 944],
    [12, 9520, 944],
  ] as const) {
    const v4 = `ip2proxy/IP2PROXY-LITE-PX${product}.CSV.ZIP`;
    const v6 = `ip2proxy/IP2PROXY-LITE-PX${product}.IPV6.CSV.ZIP`;
    const real = await tryFiles(IP2PROXY, [v4, v6], REAL);
    t.equal(real.tally(v4).accepted, rows);
    t.equal(real.tally(v6).accepted, rows + native);
    t.equal(real.tally(v4).rejected + real.tally(v6).rejected, 0);
    t.same(real.tally(v4).notes, {});
    t.same(real.tally(v6).notes, { mapped: rows });
    checkInvariants(t, real);
    t.match(real.claimAt('1.0.0.1'), { type: 'DCH', usageType: 'CDN', lastSeen: parseDay('2025-07-21') });
  }
});

t.test('of the two real products the one with more columns is read', { skip }, async (t) => {
  const ids = [11, 12].flatMap((product) =>
    ['', '.IPV6'].map((family) => `ip2proxy/IP2PROXY-LITE-PX${product}${family}.CSV.ZIP`),
  );
  const { tally, log, claims } = await tryFiles(IP2PROXY, ids, REAL);
  t.same(
    ids.map((id) => tally(id).rows),
    [0, 0, 9520, 10464],
  );
  t.same(log, [
    `${ids[0]!} is not read: ${ids[2]!} is a product with more columns`,
    `${ids[1]!} is not read: ${ids[3]!} is a product with more columns`,
  ]);
  t.ok(claims.every(({ fraudScore }) => fraudScore !== undefined));
});
