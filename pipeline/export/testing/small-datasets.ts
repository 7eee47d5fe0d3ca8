import { statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { ISP_DATABASE_TYPE, ISP_SCHEMA, type IspRecord } from '../../isp/isp-record.js';
import { CITY_SCHEMA, type CityRecord } from '../../merge/city-record.js';
import type { Schema } from '../../mmdb/schema.js';
import { writeMmdb } from '../../mmdb/write.js';
import { parsePrefix } from '../../net/prefix.js';
import { encodeManifest, MANIFEST } from '../../release/release-store.js';
import { exampleFile, exampleManifest } from '../../release/testing/example-release.js';
import { ASN_SCHEMA, type AsnRecord } from '../../routing/asn-records.js';
import { PrefixTable } from '../../table/prefix-table.js';

/** 2026-11-19 in seconds since 1970. */
export const BUILT = 1_795_046_400;

const CHINA = {
  iso_code: 'CN',
  geoname_id: 1814991,
  names: { en: 'China', 'zh-CN': '中国' },
  confidence: 99,
};
const US = { iso_code: 'US', geoname_id: 6252001, names: { en: 'United States', 'zh-CN': '美国' } };
const ASIA = { code: 'AS', geoname_id: 6255147, names: { en: 'Asia', 'zh-CN': '亚洲' } };
const AMERICA = { code: 'NA', geoname_id: 6255149, names: { en: 'North America', 'zh-CN': '北美洲' } };

/** A place with all fields, with a name that CSV must quote. */
const NANJING: CityRecord = {
  agreement: { rule: 'vote', country: ['own', 'dbip'], city: ['dbip'] },
  city: { confidence: 75, geoname_id: 1799962, names: { en: 'Nanjing, "南京"', 'zh-CN': '南京市' } },
  continent: ASIA,
  country: CHINA,
  location: { accuracy_radius: 20, latitude: 32.0617, longitude: 118.7778, time_zone: 'Asia/Shanghai' },
  registered_country: US,
  subdivisions: [{ iso_code: 'JS', geoname_id: 1806260, names: { en: 'Jiangsu', 'zh-CN': '江苏省' } }],
};
const SOMEWHERE_IN_CHINA: CityRecord = { continent: ASIA, country: CHINA, registered_country: CHINA };
const AMERICAN: CityRecord = {
  continent: AMERICA,
  country: US,
  location: { latitude: 0, longitude: -97.5 },
  traits: { is_anycast: true },
};

/** Networks of a small geo.mmdb. The first two are neighbours with different records of one country. */
export const GEO: Readonly<Record<string, CityRecord>> = {
  '1.0.0.0/24': NANJING,
  '1.0.1.0/24': SOMEWHERE_IN_CHINA,
  '1.0.2.0/24': NANJING,
  '8.8.0.0/16': AMERICAN,
  '240e::/20': SOMEWHERE_IN_CHINA,
  '2001:4860::/32': AMERICAN,
};

const asn = (autonomous_system_number: number, autonomous_system_organization: string): AsnRecord => ({
  autonomous_system_number,
  autonomous_system_organization,
});

/** Networks of a small asn.mmdb. */
export const ASN: Readonly<Record<string, AsnRecord>> = {
  '1.0.0.0/25': asn(4134, 'China Telecom'),
  '1.0.1.0/24': asn(13335, 'Cloudflare, Inc.'),
  '8.0.0.0/8': asn(3356, 'Level 3'),
  '8.8.8.0/24': asn(15169, 'Google LLC'),
  '2001:4860::/32': asn(15169, 'Google LLC'),
};

/** Networks of a small isp.mmdb. */
export const ISP: Readonly<Record<string, IspRecord>> = {
  '8.8.8.0/25': {
    isp: 'Google',
    is_hosting_provider: true,
    cloud: { provider: 'Google', region: 'us-east1' },
  },
  '8.8.9.0/24': {
    isp: 'X',
    is_anonymous: true,
    is_anonymous_vpn: true,
    proxy: { type: 'VPN', fraud_score: 60 },
  },
  '240e::/32': { isp_names: { 'zh-CN': '电信' }, proxy: { type: 'PUB' } },
};

/** Writes geo.mmdb, asn.mmdb and isp.mmdb and a manifest with their terms to a folder. */
export function writeDatasets(dir: string): void {
  const files = [
    writeDataset(dir, { name: 'geo.mmdb', type: 'ipatlas-City', schema: CITY_SCHEMA, networks: GEO }),
    writeDataset(dir, {
      name: 'asn.mmdb',
      type: 'ipatlas-ASN (compat=GeoLite2-ASN)',
      schema: ASN_SCHEMA,
      networks: ASN,
    }),
    writeDataset(dir, { name: 'isp.mmdb', type: ISP_DATABASE_TYPE, schema: ISP_SCHEMA, networks: ISP }),
  ];
  const manifest = exampleManifest(BUILT);
  const listed = files.map((path, i) => ({
    ...exampleFile('geo'),
    name: path,
    sizeBytes: statSync(join(dir, path)).size,
    terms: (['share-alike', 'free', 'closed'] as const)[i]!,
    attributions: [`Data of publisher ${i + 1}\nwith a second line`],
  }));
  // The test's folder does not have the name of the release.
  writeFileSync(join(dir, MANIFEST), encodeManifest({ ...manifest, files: listed }));
}

/** Writes one dataset. Returns its name. */
export function writeDataset(
  dir: string,
  about: {
    readonly name: string;
    readonly type: string;
    readonly schema: Schema;
    readonly networks: Readonly<Record<string, object>>;
  },
): string {
  const table = new PrefixTable();
  const records = Object.values(about.networks);
  Object.keys(about.networks).forEach((network, id) => {
    const { address, length } = parsePrefix(network)!;
    table.insert(address, length, id);
  });
  writeMmdb(join(dir, about.name), {
    table: table.flatten(),
    records,
    schema: about.schema,
    databaseType: about.type,
    description: { en: 'ipatlas test' },
    languages: ['en', 'zh-CN'],
    ipVersion: 6,
    buildEpoch: BUILT,
  });
  return about.name;
}
