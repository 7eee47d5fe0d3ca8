import { join } from 'node:path';
import t, { type Test } from 'tap';
import { CITY_SCHEMA } from '../merge/city-record.js';
import type { Schema } from '../mmdb/schema.js';
import { writeMmdb } from '../mmdb/write.js';
import { parsePrefix } from '../net/prefix.js';
import { REGIONS } from '../regions/regions.js';
import { ISP_SCHEMA } from '../service/isp-record.js';
import { PrefixTable } from '../table/prefix-table.js';
import { checkRegions } from './check-regions.js';

type Row = readonly [prefix: string, record: object];

/** Datasets as they are compiled, of places and of services by prefix. */
function compiled(t: Test, places: readonly Row[], services: readonly Row[]) {
  const dir = t.testdir({});
  write(join(dir, 'geo.mmdb'), CITY_SCHEMA, places);
  write(join(dir, 'isp.mmdb'), ISP_SCHEMA, services);
  return [
    { dir, files: [{ file: { name: 'geo.mmdb', databaseType: 'ipatlas-City' } }] },
    { dir, files: [{ file: { name: 'isp.mmdb', databaseType: 'ipatlas-ISP' } }] },
  ];
}

function write(path: string, schema: Schema, rows: readonly Row[]): void {
  const table = new PrefixTable();
  rows.forEach(([text], id) => {
    const { address, length } = parsePrefix(text)!;
    table.insert(address, length, id);
  });
  writeMmdb(path, {
    ...{ table: table.flatten(), records: rows.map(([, record]) => record), schema },
    ...{ databaseType: 'test', description: { en: 'test' }, languages: ['en'], ipVersion: 6, buildEpoch: 1 },
  });
}

const CHINA = { country: { iso_code: 'CN' }, subdivisions: [{ iso_code: 'BJ' }] };
const US = { country: { iso_code: 'US' } };

t.test('regions that the tables know are confirmed, those that they contradict are told', async (t) => {
  const datasets = compiled(
    t,
    [
      ['219.141.136.0/24', CHINA],
      ['202.106.196.0/25', CHINA],
      ['202.106.196.128/25', US],
      ['221.130.33.0/24', CHINA],
    ],
    [
      ['219.141.136.0/24', { isp: 'China Telecom' }],
      ['221.130.33.0/24', { isp: 'China Unicom' }],
    ],
  );
  t.same(await checkRegions(datasets), {
    checked: REGIONS.length,
    confirmed: 1,
    countryOnly: 0,
    unknown: REGIONS.length - 3,
    mismatches: [
      {
        ...{ code: 156112, subnet: '202.106.196.0/24', label: 'Beijing China Unicom' },
        ...{ expected: 'CN', found: 'US' },
      },
      {
        ...{ code: 156113, subnet: '221.130.33.0/24', label: 'Beijing China Mobile' },
        ...{ expected: 'Beijing China Mobile', found: 'China Unicom' },
      },
    ],
  });
});

t.test('without services the country alone is checked, without places nothing', async (t) => {
  const [places, services] = compiled(t, [['219.141.136.0/24', CHINA]], []);
  t.match(await checkRegions([places!]), { confirmed: 0, countryOnly: 1, unknown: REGIONS.length - 1 });
  t.equal(await checkRegions([services!]), undefined);
});
