import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Reader } from 'maxmind';
import t, { type Test } from 'tap';
import { formatAddress, parseAddress } from '../net/address.js';
import { formatPrefix, parsePrefix } from '../net/prefix.js';
import { PrefixTable } from '../table/prefix-table.js';
import { readMmdb } from './read.js';
import type { MapSchema } from './schema.js';
import { geoip2, mmdblookup, perlNetworks, pythonLookup, without } from './testing/oracles.js';
import { ASN_SCHEMA, CITY_SCHEMA, ISP_SCHEMA, TYPES_SCHEMA } from './testing/record-schemas.js';
import { verifyMmdb } from './verify.js';
import { encodeMmdb } from './write.js';

type Networks = Readonly<Record<string, Readonly<Record<string, unknown>>>>;

const COLOGNE = {
  continent: { code: 'EU', geoname_id: 6_255_148, names: { en: 'Europe', 'zh-CN': '欧洲' } },
  country: {
    iso_code: 'DE',
    geoname_id: 2_921_044,
    names: { en: 'Germany', 'zh-CN': '德国' },
    confidence: 99,
  },
  registered_country: { iso_code: 'DE', geoname_id: 2_921_044, names: { en: 'Germany', 'zh-CN': '德国' } },
  subdivisions: [{ iso_code: 'NW', geoname_id: 2_861_876, names: { en: 'North Rhine-Westphalia' } }],
  city: { geoname_id: 2_886_242, names: { en: 'Cologne', 'zh-CN': '科隆' }, confidence: 60 },
  location: { latitude: 50.9333, longitude: 6.95, accuracy_radius: 20, time_zone: 'Europe/Berlin' },
};
const NULL_ISLAND = {
  country: { iso_code: 'GH', geoname_id: 2_300_660, names: { en: 'Ghana', 'zh-CN': '加纳' } },
  location: { latitude: 0, longitude: -0, accuracy_radius: 1000 },
};
const CITIES: Networks = {
  '1.0.0.0/24': COLOGNE,
  '1.0.1.0/24': { ...COLOGNE, subdivisions: [] },
  '9.9.9.9/32': NULL_ISLAND,
  '224.0.0.0/4': {},
  '2400:cb00::/32': COLOGNE,
  '2400:cb01::1/128': NULL_ISLAND,
};
const ASNS: Networks = {
  '1.1.1.0/24': { autonomous_system_number: 13_335, autonomous_system_organization: 'Cloudflare, Inc.' },
  '2.0.0.0/8': { autonomous_system_number: 4_294_967_295 },
  '2606:4700::/32': { autonomous_system_number: 13_335, autonomous_system_organization: 'Cloudflare, Inc.' },
};
const ISPS: Networks = {
  '36.96.0.0/11': {
    autonomous_system_number: 4134,
    autonomous_system_organization: 'Chinanet',
    isp: 'China Telecom',
    organization: '中国电信',
    mobile_country_code: '460',
    mobile_network_code: '03',
  },
  '36.0.0.0/16': { isp: '' },
};
const TYPES: Networks = {
  '10.0.0.0/8': {
    string: 'Kö"ln',
    double: 1e-300,
    float: Math.fround(1.1),
    bytes: Buffer.from('00ff', 'hex'),
    uint16: 65_535,
    uint32: 4_294_967_295,
    uint64: 2n ** 64n - 1n,
    uint128: 2n ** 128n - 1n,
    int32: -5,
    boolean: true,
    array: ['x', 'y'],
    map: { en: 'x' },
  },
  '11.0.0.0/8': { double: -0, uint16: 0, uint32: 0, uint64: 0n, uint128: 0n, int32: 0, boolean: false },
};

/** Writes a file with these networks into a folder that is removed after the test. */
function written(
  t: Test,
  networks: Networks,
  schema: MapSchema,
  databaseType: string,
): { path: string; bytes: Buffer } {
  const bytes = encoded(networks, schema, databaseType);
  const folder = mkdtempSync(join(tmpdir(), 'oracles-'));
  t.teardown(() => {
    rmSync(folder, { recursive: true });
  });
  const path = join(folder, 'test.mmdb');
  writeFileSync(path, bytes);
  return { path, bytes };
}

function encoded(networks: Networks, schema: MapSchema, databaseType: string, ipVersion: 4 | 6 = 6): Buffer {
  const table = new PrefixTable();
  const records = Object.values(networks);
  Object.keys(networks).forEach((text, recordId) => {
    const { address, length } = parsePrefix(text)!;
    table.insert(address, length, recordId);
  });
  return encodeMmdb({
    table: table.flatten(),
    records,
    schema,
    databaseType,
    description: { en: 'held against other readers' },
    languages: ['en', 'zh-CN'],
    ipVersion,
    buildEpoch: 1_760_000_000,
  });
}

/** Formats the first address of a network. */
function firstOf(network: string): string {
  const { address, family } = parsePrefix(network)!;
  return formatAddress(address, family);
}

/** Returns the prefix length of a network in its family. */
function lengthOf(network: string): number {
  return Number(network.split('/')[1]);
}

/** Converts a record to the form of pythonLookup. */
function asPython(value: unknown): unknown {
  if (typeof value === 'bigint') return value > 2n ** 53n ? { integer: String(value) } : Number(value);
  if (Buffer.isBuffer(value)) return { bytes: value.toString('hex') };
  if (Array.isArray(value)) return value.map(asPython);
  if (typeof value !== 'object' || value === null) return Object.is(value, -0) ? '-0' : value;
  return Object.fromEntries(Object.entries(value).map(([key, entry]) => [key, asPython(entry)]));
}

const FILES = [
  ['ipatlas-City', CITIES, CITY_SCHEMA],
  ['ipatlas-ASN (compat=GeoLite2-ASN)', ASNS, ASN_SCHEMA],
  ['ipatlas-ISP (compat=GeoIP2-ISP)', ISPS, ISP_SCHEMA],
  ['Every type', TYPES, TYPES_SCHEMA],
] as const;

for (const [databaseType, networks, schema] of FILES) {
  t.test(`${databaseType}: records are read back as written`, (t) => {
    const bytes = encoded(networks, schema, databaseType);
    const { table, records, metadata } = readMmdb(bytes);
    const read: Record<string, unknown> = {};
    table.forEach((address, length, recordId) => {
      read[formatPrefix(address, length)] = records[recordId];
    });
    t.strictSame(read, networks);
    t.equal(metadata.databaseType, databaseType);
    const report = verifyMmdb(bytes, { schema });
    t.same(report.problems, []);
    t.equal(report.counts.networksV4 + report.counts.networksV6, Object.keys(networks).length);
    t.same(report.aliases, ['::ffff:0:0/96', '2002::/16']);
    t.end();
  });

  t.test(`${databaseType}: maxmind reads it`, (t) => {
    const reader = new Reader(encoded(networks, schema, databaseType));
    for (const [network, record] of Object.entries(networks)) {
      const [found, length] = reader.getWithPrefixLength(firstOf(network));
      t.strictSame(found, record, network);
      t.equal(length, lengthOf(network));
    }
    t.equal(reader.get('8.8.8.8'), null);
    t.equal(reader.get('2a00::1'), null);
    t.end();
  });

  t.test(`${databaseType}: Python's C extension reads it`, { skip: without('python') }, (t) => {
    const { path } = written(t, networks, schema, databaseType);
    const ips = Object.keys(networks).map(firstOf);
    const answers = pythonLookup(path, [...ips, '8.8.8.8', '2a00::1']);
    Object.entries(networks).forEach(([network, record], i) => {
      const { record: found, length } = answers[i]!;
      t.strictSame(asPython(found), asPython(record), network);
      t.equal(length, lengthOf(network));
    });
    t.same(
      answers.slice(ips.length).map(({ record }) => record),
      [null, null],
    );
    t.end();
  });

  t.test(`${databaseType}: Perl walks it, including aliases`, { skip: without('perl') }, (t) => {
    const { path } = written(t, networks, schema, databaseType);
    const expected = Object.keys(networks).flatMap((network) => {
      const { address, length, family } = parsePrefix(network)!;
      const ipv4 = BigInt(address[3]!);
      const here = { address: addressNumber(address), length };
      if (family === 6) return [here];
      const mapped = { address: (0xffffn << 32n) | ipv4, length };
      return [here, mapped, { address: (0x2002n << 112n) | (ipv4 << 80n), length: length - 80 }];
    });
    const walked = perlNetworks(path);
    t.same(new Set(walked.map(textOf)), new Set(expected.map(textOf)));
    t.equal(walked.length, expected.length);
    t.end();
  });
}

function addressNumber(address: Uint32Array): bigint {
  return address.reduce((number, word) => (number << 32n) | BigInt(word), 0n);
}

function textOf({ address, length }: { address: bigint; length: number }): string {
  return `${address.toString(16)}/${length}`;
}

t.test('mmdblookup reads every type', { skip: without('mmdblookup') }, (t) => {
  const { path } = written(t, TYPES, TYPES_SCHEMA, 'Every type');
  const printed: Readonly<Record<string, readonly [string, string]>> = {
    string: ['Kö"ln', 'utf8_string'],
    double: ['0.000000', 'double'],
    float: ['1.100000', 'float'],
    bytes: ['00FF', 'bytes'],
    uint16: ['65535', 'uint16'],
    uint32: ['4294967295', 'uint32'],
    uint64: ['18446744073709551615', 'uint64'],
    uint128: ['0xFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFF', 'uint128'],
    int32: ['-5', 'int32'],
    boolean: ['true', 'boolean'],
  };
  for (const [key, [text, type]] of Object.entries(printed)) {
    t.same(mmdblookup(path, '10.1.2.3', [key]), { text, type }, key);
  }
  t.same(mmdblookup(path, '10.1.2.3', ['array', '1'])?.text, 'y');
  t.same(mmdblookup(path, '10.1.2.3', ['map', 'en'])?.text, 'x');
  t.equal(mmdblookup(path, '10.1.2.3', ['map', 'de']), undefined);
  t.equal(mmdblookup(path, '12.0.0.1', ['string']), undefined);
  t.end();
});

t.test('geoip2 creates its models from our records', { skip: without('geoip2') }, (t) => {
  const cities = written(t, CITIES, CITY_SCHEMA, 'ipatlas-City').path;
  t.strictSame(geoip2(cities, 'city', ['1.0.0.7', '9.9.9.9', '8.8.8.8']), [
    {
      continent: 'EU',
      country: 'DE',
      countryConfidence: 99,
      registeredCountry: 'DE',
      city: 'Cologne',
      cityId: 2_886_242,
      cityNames: { en: 'Cologne', 'zh-CN': '科隆' },
      subdivisions: ['NW'],
      latitude: 50.9333,
      longitude: 6.95,
      accuracyRadius: 20,
      timeZone: 'Europe/Berlin',
    },
    {
      continent: null,
      country: 'GH',
      countryConfidence: null,
      registeredCountry: null,
      city: null,
      cityId: null,
      cityNames: {},
      subdivisions: [],
      latitude: 0,
      longitude: -0,
      accuracyRadius: 1000,
      timeZone: null,
    },
    null,
  ]);
  const asns = written(t, ASNS, ASN_SCHEMA, 'ipatlas-ASN (compat=GeoLite2-ASN)').path;
  t.strictSame(geoip2(asns, 'asn', ['1.1.1.1', '2.255.255.255']), [
    { number: 13_335, organization: 'Cloudflare, Inc.' },
    { number: 4_294_967_295, organization: null },
  ]);
  const isps = written(t, ISPS, ISP_SCHEMA, 'ipatlas-ISP (compat=GeoIP2-ISP)').path;
  t.strictSame(geoip2(isps, 'isp', ['36.96.0.1']), [
    { number: 4134, organization: 'Chinanet', isp: 'China Telecom', holder: '中国电信' },
  ]);
  t.end();
});

t.test('an IPv4 address is found through its IPv6 forms, except through Teredo', (t) => {
  const { bytes, path } = written(t, CITIES, CITY_SCHEMA, 'ipatlas-City');
  const forms = ['9.9.9.9', '::9.9.9.9', '::ffff:9.9.9.9', '2002:909:909::1', '2002:909:909:ffff::'];
  const none = ['2002:909:90a::1', '::ffff:9.9.9.10', '2001:0:909:909::1'];
  const reader = new Reader(bytes);
  for (const ip of forms) t.strictSame(reader.get(ip), NULL_ISLAND, ip);
  for (const ip of none) t.equal(reader.get(ip), null, ip);
  if (without('python') === false) {
    const answers = pythonLookup(path, [...forms, ...none]).map(({ record }) => asPython(record));
    t.strictSame(answers, [...forms.map(() => asPython(NULL_ISLAND)), ...none.map(() => null)]);
  }
  t.end();
});

t.test('one network for all of IPv4 is found through its IPv6 forms', (t) => {
  const bytes = encoded({ '0.0.0.0/0': NULL_ISLAND }, CITY_SCHEMA, 'ipatlas-City');
  const reader = new Reader(bytes);
  for (const ip of ['0.0.0.0', '255.255.255.255', '::ffff:1.2.3.4', '2002:ffff:ffff::']) {
    t.strictSame(reader.get(ip), NULL_ISLAND, ip);
  }
  t.same(verifyMmdb(bytes).problems, []);
  t.equal(readMmdb(bytes).table.networkCount(), 1);
  t.end();
});

t.test('a network around 2002::/16 is divided by the alias', (t) => {
  const bytes = encoded({ '2000::/3': COLOGNE, '9.9.9.9/32': NULL_ISLAND }, CITY_SCHEMA, 'ipatlas-City');
  const reader = new Reader(bytes);
  const { table, records } = readMmdb(bytes);
  t.same(verifyMmdb(bytes).problems, []);
  for (const ip of ['2001:ffff::1', '2003::', '2000::', '3fff::1']) {
    t.strictSame(reader.get(ip), COLOGNE, ip);
    t.strictSame(records[table.lookup(parseAddress(ip)!.address)!.recordId], COLOGNE, ip);
  }
  t.strictSame(reader.get('2002:909:909::'), NULL_ISLAND);
  t.equal(table.lookup(parseAddress('2002:909:909::')!.address), undefined, 'read leaves the alias out');
  t.end();
});

t.test('an IPv4 file answers for IPv4', (t) => {
  const networks: Networks = { '10.0.0.0/8': { isp: 'a' }, '192.0.2.0/31': { isp: 'b' } };
  const bytes = encoded(networks, ISP_SCHEMA, 'ipatlas-ISP', 4);
  t.same(verifyMmdb(bytes, { schema: ISP_SCHEMA }).problems, []);
  const reader = new Reader(bytes);
  t.strictSame(reader.getWithPrefixLength('10.255.0.1'), [{ isp: 'a' }, 8]);
  t.strictSame(reader.getWithPrefixLength('192.0.2.1'), [{ isp: 'b' }, 31]);
  t.equal(reader.get('192.0.2.2'), null);
  t.equal(readMmdb(bytes).metadata.ipVersion, 4);
  t.end();
});
