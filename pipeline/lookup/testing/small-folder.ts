import { join } from 'node:path';
import type { Test } from 'tap';
import { ISP_SCHEMA } from '../../isp/isp-record.js';
import { arrayOf, map, type Schema } from '../../mmdb/schema.js';
import { writeMmdb } from '../../mmdb/write.js';
import { parsePrefix } from '../../net/prefix.js';
import { PrefixTable } from '../../table/prefix-table.js';

const NAMES = map({ en: 'string', 'zh-CN': 'string' });

const SCHEMAS: Readonly<Record<string, Schema>> = {
  geo: map({
    city: map({ confidence: 'uint16', names: NAMES }),
    continent: map({ code: 'string', geoname_id: 'uint32', names: NAMES }),
    country: map({ iso_code: 'string', names: NAMES }),
    location: map({ latitude: 'double', longitude: 'double', time_zone: 'string' }),
    subdivisions: arrayOf(map({ iso_code: 'string', names: NAMES })),
    traits: map({ is_anycast: 'boolean' }),
  }),
  asn: map({
    autonomous_system_number: 'uint32',
    autonomous_system_organization: 'string',
    as_domain: 'string',
  }),
  isp: ISP_SCHEMA,
};

const RECORDS: Readonly<Record<string, Readonly<Record<string, unknown>>>> = {
  geo: {
    '8.8.8.0/24': {
      city: { confidence: 90, names: { en: 'Mountain View', 'zh-CN': '山景城' } },
      continent: { code: 'NA', geoname_id: 6255149, names: { en: 'North America', 'zh-CN': '北美洲' } },
      country: { iso_code: 'US', names: { en: 'United States', 'zh-CN': '美国' } },
      location: { latitude: 37.4056, longitude: -122.0775, time_zone: 'America/Los_Angeles' },
      subdivisions: [{ iso_code: 'CA', names: { en: 'California' } }],
    },
    '9.9.9.0/24': { country: { iso_code: 'CH' }, traits: { is_anycast: true } },
    '2001:4860::/32': { country: { iso_code: 'US', names: { en: 'United States' } } },
  },
  asn: {
    '8.8.8.0/24': {
      autonomous_system_number: 15169,
      autonomous_system_organization: 'Google "LLC", US',
      as_domain: 'google.com',
    },
    '9.9.9.9/32': { autonomous_system_number: 19281, autonomous_system_organization: 'Quad9' },
  },
  isp: {
    '8.8.8.0/24': {
      isp: 'Google',
      usage_type: 'DCH',
      is_cloud_idc: true,
      cloud: { provider: 'Google' },
    },
    '1.2.3.4/32': {
      isp: 'Exit',
      usage_type: 'DCH',
      is_anonymous: true,
      proxy: { type: 'TOR', fraud_score: 0, last_seen: '2026-11-20' },
    },
  },
};

/** Creates a folder with small files of the three datasets, or of some. */
export function smallFolder(t: Test, names: readonly string[] = ['geo', 'asn', 'isp']): string {
  const folder = t.testdir({});
  for (const name of names) {
    const table = new PrefixTable();
    const records = Object.entries(RECORDS[name]!).map(([text, record], id) => {
      const { address, length } = parsePrefix(text)!;
      table.insert(address, length, id);
      return record;
    });
    writeMmdb(join(folder, `${name}.mmdb`), {
      table: table.flatten(),
      records,
      schema: SCHEMAS[name]!,
      databaseType: 'ipatlas-Test',
      description: { en: 'test' },
      languages: ['en', 'zh-CN'],
      ipVersion: 6,
      buildEpoch: 1_795_046_400,
    });
  }
  return folder;
}
