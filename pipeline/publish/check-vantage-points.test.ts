import { join } from 'node:path';
import t, { type Test } from 'tap';
import { CITY_SCHEMA } from '../merge/city-record.js';
import type { Schema } from '../mmdb/schema.js';
import { writeMmdb } from '../mmdb/write.js';
import { parsePrefix } from '../net/prefix.js';
import { VANTAGE_POINTS } from '../vantage-points/catalogue.js';
import { ISP_SCHEMA } from '../isp/isp-record.js';
import { PrefixTable } from '../table/prefix-table.js';
import { checkVantagePoints } from './check-vantage-points.js';

type Row = readonly [prefix: string, record: object];

/** Writes geo.mmdb and isp.mmdb with records by prefix, and returns them as compiled datasets. */
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

t.test('vantage points that match the tables are confirmed; mismatches are listed', async (t) => {
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
  t.same(await checkVantagePoints(datasets), {
    checked: VANTAGE_POINTS.length,
    confirmed: 1,
    countryOnly: 0,
    unknown: VANTAGE_POINTS.length - 3,
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

t.test('without isp.mmdb only the country is checked; without geo.mmdb nothing', async (t) => {
  const [places, services] = compiled(t, [['219.141.136.0/24', CHINA]], []);
  t.match(await checkVantagePoints([places!]), {
    confirmed: 0,
    countryOnly: 1,
    unknown: VANTAGE_POINTS.length - 1,
  });
  t.equal(await checkVantagePoints([services!]), undefined);
});
