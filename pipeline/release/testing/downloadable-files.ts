import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { ISP_DATABASE_TYPE, ISP_SCHEMA } from '../../isp/isp-record.js';
import { CITY_SCHEMA } from '../../merge/city-record.js';
import type { Schema } from '../../mmdb/schema.js';
import { encodeMmdb } from '../../mmdb/write.js';
import { parsePrefix } from '../../net/prefix.js';
import type { Manifest, ManifestFile } from '../contract.js';
import { sha256Bytes } from '../digest.js';
import { exampleFile, exampleManifest } from './example-release.js';
import { ASN_SCHEMA } from '../../routing/asn-records.js';
import { PrefixTable } from '../../table/prefix-table.js';

const CHINA = { iso_code: 'CN', geoname_id: 1_814_991, names: { en: 'China', 'zh-CN': '中国' } };

interface Content {
  readonly databaseType: string;
  readonly schema: Schema;
  readonly records: Readonly<Record<string, object>>;
}

/** The content of each file, as a release has it. */
const CONTENTS: Readonly<Record<string, Content>> = {
  geo: {
    databaseType: 'ipatlas-City',
    schema: CITY_SCHEMA,
    records: {
      '1.0.1.0/24': {
        city: { geoname_id: 1_809_858, names: { en: 'Guangzhou', 'zh-CN': '广州市' }, confidence: 60 },
        continent: { code: 'AS', geoname_id: 6_255_147, names: { en: 'Asia' } },
        country: { ...CHINA, confidence: 99 },
        location: { latitude: 23.125, longitude: 113.25, accuracy_radius: 10, time_zone: 'Asia/Shanghai' },
        registered_country: CHINA,
        subdivisions: [{ iso_code: 'GD', names: { en: 'Guangdong' } }],
      },
      '1.1.1.0/24': { country: CHINA, traits: { is_anycast: true } },
    },
  },
  asn: {
    databaseType: 'ipatlas-ASN (compat=GeoLite2-ASN)',
    schema: ASN_SCHEMA,
    records: {
      '1.0.1.0/24': {
        autonomous_system_number: 4134,
        autonomous_system_organization: 'Chinanet',
        as_name: 'CHINANET-BACKBONE',
        as_domain: 'chinatelecom.com.cn',
        as_country: 'CN',
      },
      '1.1.1.0/24': { autonomous_system_number: 13_335 },
    },
  },
  isp: {
    databaseType: ISP_DATABASE_TYPE,
    schema: ISP_SCHEMA,
    records: {
      '1.0.1.0/24': {
        isp: 'China Telecom',
        organization: 'Chinanet',
        autonomous_system_number: 4134,
        isp_names: { en: 'China Telecom', 'zh-CN': '中国电信' },
        is_anonymous: true,
        is_tor_exit_node: true,
        proxy: { type: 'TOR' },
      },
      '1.1.1.0/24': { usage_type: 'DCH', is_hosting_provider: true },
    },
  },
};

/** Writes small downloadable files into a folder. Returns a manifest with them, and with a served `geo.mmdb`. */
export function writeDownloadable(dir: string): Manifest {
  const files = Object.entries(CONTENTS).map(([stem, content]) => {
    return writeFile(dir, { name: `download/${stem}.mmdb`, kind: 'download', content });
  });
  const served = writeFile(dir, { name: 'geo.mmdb', kind: 'served', content: CONTENTS['geo']! });
  return { ...exampleManifest(1_795_046_400), files: [served, ...files] };
}

interface Writing {
  readonly name: string;
  readonly kind: ManifestFile['kind'];
  readonly content: Content;
}

function writeFile(dir: string, { name, kind, content }: Writing): ManifestFile {
  const { databaseType, schema, records } = content;
  const table = new PrefixTable();
  Object.keys(records).forEach((text, id) => {
    const prefix = parsePrefix(text)!;
    table.insert(prefix.address, prefix.length, id);
  });
  const bytes = encodeMmdb({
    table: table.flatten(),
    records: Object.values(records),
    schema,
    databaseType,
    description: { en: 'ipatlas test', 'zh-CN': 'ipatlas 测试' },
    languages: ['en', 'zh-CN'],
    ipVersion: 6,
    buildEpoch: 1_795_046_400,
  });
  mkdirSync(dirname(join(dir, name)), { recursive: true });
  writeFileSync(join(dir, name), bytes);
  const digest = { sizeBytes: bytes.length, sha256: sha256Bytes(bytes) };
  return { ...exampleFile(''), name, kind, databaseType, ...digest, buildEpoch: 1_795_046_400 };
}
