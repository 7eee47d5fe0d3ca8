import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Json } from '@duckdb/node-api';
import t from 'tap';
import { PROJECT_ROOT } from '../../fixtures/open-file.js';
import { openDataset } from './dataset.js';
import { exportCsv } from './csv.js';
import { networksOf } from './networks.js';
import { exportParquet } from './parquet.js';
import { cellOf, schemaOf } from './parquet-schema.js';
import { writeDatasets } from './testing/small-datasets.js';

const dir = t.testdir();
writeDatasets(dir);

/** DuckDB has no binaries for some platforms. */
const duckdb = await import('@duckdb/node-api').catch(() => undefined);
const skip = duckdb ? false : '@duckdb/node-api has no binaries for this platform';

/** Runs a query in DuckDB. `$file` is the path of a file in the folder of the test. */
async function query(sql: string): Promise<Record<string, Json>[]> {
  const instance = await duckdb!.DuckDBInstance.create(':memory:');
  const connection = await instance.connect();
  const result = await connection.runAndReadAll(sql.replace(/\$(\w+\.\w+)/g, `'${dir}/$1'`));
  connection.closeSync();
  instance.closeSync();
  return result.getRowObjectsJson();
}

async function exported(name: string, groupRows?: number): Promise<void> {
  const dataset = await openDataset(join(dir, `${name}.mmdb`));
  const source = { dataset, networks: () => networksOf(dataset) };
  const path = join(dir, `${name}.parquet`);
  const [written] = await exportParquet(source, path, groupRows === undefined ? {} : { groupRows });
  t.equal(written!.sizeBytes, readFileSync(path).length);
  await exportCsv(source, join(dir, `${name}.csv`), { ranges: true, comments: false });
}

t.test('DuckDB reads the rows with their types', { skip }, async (t) => {
  await exported('geo');
  const rows = await query('FROM $geo.parquet');
  t.equal(rows.length, 6);
  t.match(rows[0], {
    network: '1.0.0.0/24',
    ip_version: 4,
    start_ip: '1.0.0.0',
    end_ip: '1.0.0.255',
    start_integer: '16777216',
    end_integer: '16777471',
    country_name_zh: '中国',
    city_name: 'Nanjing, "南京"',
    city_geoname_id: '1799962',
    latitude: 32.0617,
    is_anycast: null,
    country_feeds: ['own', 'dbip'],
    region_feeds: null,
  });
  t.match(rows[3], { network: '8.8.0.0/16', latitude: 0, longitude: -97.5, is_anycast: true });
  t.match(rows[5], {
    start_ip: '240e::',
    end_ip: '240e:fff:ffff:ffff:ffff:ffff:ffff:ffff',
    start_integer: null,
  });
  const types = await query('SELECT column_name, column_type FROM (DESCRIBE FROM $geo.parquet)');
  const typeOf = new Map(types.map(({ column_name, column_type }) => [column_name, column_type]));
  t.same(
    [
      'network',
      'start_bytes',
      'start_integer',
      'city_geoname_id',
      'latitude',
      'is_anycast',
      'city_feeds',
    ].map((name) => typeOf.get(name)),
    ['VARCHAR', 'BLOB', 'BIGINT', 'BIGINT', 'DOUBLE', 'BOOLEAN', 'VARCHAR[]'],
  );
});

t.test(
  'every cell is that of the CSV file, in all datasets and with several row groups',
  { skip },
  async (t) => {
    for (const name of ['geo', 'asn', 'isp']) {
      await exported(name, 2);
      const { columns } = await openDataset(join(dir, `${name}.mmdb`));
      const asText = columns.map(({ name, type }) => {
        if (type === 'list') return `coalesce(array_to_string(${name}, ' '), '') AS ${name}`;
        if (type === 'boolean') return `coalesce(${name}::INT::VARCHAR, '') AS ${name}`;
        if (type === 'decimal') return `coalesce(trim(trim(printf('%f', ${name}), '0'), '.'), '') AS ${name}`;
        return `coalesce(${name}::VARCHAR, '') AS ${name}`;
      });
      const fromCsv = columns.map(({ name, type }) =>
        type === 'decimal'
          ? `coalesce(trim(trim(printf('%f', ${name}::DOUBLE), '0'), '.'), '') AS ${name}`
          : `coalesce(${name}, '') AS ${name}`,
      );
      const parquet = `SELECT network, start_ip, end_ip, ${asText.join()} FROM $${name}.parquet`;
      const csv = `SELECT network, "start", "end", ${fromCsv.join()} FROM read_csv($${name}.csv, all_varchar = true)`;
      t.same(await query(`(${parquet}) EXCEPT (${csv})`), [], name);
      t.same(await query(`(${csv}) EXCEPT (${parquet})`), [], name);
      const [groups] = await query(
        `SELECT count(DISTINCT row_group_id)::INT AS n FROM parquet_metadata($${name}.parquet)`,
      );
      t.ok(Number(groups!['n']) > 1);
    }
  },
);

t.test(
  'the rows are sorted by the bytes of the first address, which row groups are skipped by',
  { skip },
  async (t) => {
    await exported('geo', 2);
    // Threads read row groups in any order.
    const [sorted] = await query(
      `SELECT list(start_bytes ORDER BY file_row_number) = list(start_bytes ORDER BY start_bytes) AS same
       FROM read_parquet($geo.parquet, file_row_number = true)`,
    );
    t.equal(sorted!['same'], true);
    const [first] = await query(
      `SELECT stats_min_value AS least FROM parquet_metadata($geo.parquet)
     WHERE path_in_schema = 'start_bytes' AND row_group_id = 0`,
    );
    t.equal(first!['least'], String.raw`\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\xFF\xFF\x01\x00\x00\x00`);
  },
);

t.test('a range join finds the network of an address, of either family', { skip }, async (t) => {
  await exported('geo');
  const hits = `(VALUES ('1.0.2.7', 16777735), ('8.9.0.0', 134807552), ('8.8.8.8', 134744072)) AS hits(ip, number)`;
  t.same(
    await query(
      `SELECT ip, country_iso_code FROM ${hits}
       LEFT JOIN $geo.parquet AS geo ON number BETWEEN start_integer AND end_integer ORDER BY ip`,
    ),
    [
      { ip: '1.0.2.7', country_iso_code: 'CN' },
      { ip: '8.8.8.8', country_iso_code: 'US' },
      { ip: '8.9.0.0', country_iso_code: null },
    ],
  );
  const bytes = `(VALUES (unhex('00000000000000000000ffff01000207')), (unhex('240e0000000000000000000000000001'))) AS hits(ip)`;
  t.same(
    await query(
      `SELECT network FROM ${bytes} JOIN $geo.parquet ON ip BETWEEN start_bytes AND end_bytes ORDER BY ip`,
    ),
    [{ network: '1.0.2.0/24' }, { network: '240e::/20' }],
  );
});

t.test('the query of the guide adds the AS to a file of addresses', { skip }, async (t) => {
  await exported('asn');
  writeFileSync(join(dir, 'hits.csv'), 'ip\n1.0.0.127\n1.0.0.128\n8.8.8.8\n8.8.9.8\n');
  const guide = readFileSync(join(PROJECT_ROOT, 'pipeline/export/README.md'), 'utf8');
  const [macro, select] = /```sql\n(CREATE MACRO [^`]*?;)\n(SELECT [^`]*?);\n```/.exec(guide)!.slice(1);
  const files = (sql: string) => sql.replace(/'(hits\.csv|asn\.parquet)'/g, '$$$1');
  t.same(await query(`${macro!} ${files(select!)} ORDER BY ip`), [
    { ip: '1.0.0.127', autonomous_system_number: '4134' },
    { ip: '8.8.8.8', autonomous_system_number: '15169' },
    { ip: '8.8.9.8', autonomous_system_number: '3356' },
  ]);
});

t.test('the metadata of the file has the terms', { skip }, async (t) => {
  await exported('geo');
  const [terms] = await query(
    "SELECT decode(value) AS terms FROM parquet_kv_metadata($geo.parquet) WHERE decode(key) = 'terms'",
  );
  const { notice } = await openDataset(join(dir, 'geo.mmdb'));
  t.equal(terms!['terms'], notice.join('\n'));
});

t.test('a file without networks has the columns', { skip }, async (t) => {
  const dataset = await openDataset(join(dir, 'asn.mmdb'));
  const none = { ...networksOf(dataset), next: () => false };
  await exportParquet({ dataset, networks: () => none }, join(dir, 'none.parquet'));
  t.same(await query('FROM $none.parquet'), []);
  t.equal((await query('DESCRIBE FROM $none.parquet')).length, 8 + dataset.columns.length);
});

t.test('a value that does not fit its column is an error that names both', (t) => {
  const column = (type: 'integer' | 'text') => ({ name: 'city_id', type, path: ['city_id'] });
  t.throws(() => cellOf('x', column('integer')), /city_id has the value "x": expected an integer/);
  t.throws(() => cellOf(1.5, column('integer')), /"1\.5": expected an integer/);
  t.throws(() => cellOf(2n ** 63n, column('integer')), /"9223372036854775808": expected an integer/);
  t.throws(() => cellOf({ a: 1 }, column('text')), /\{"a":1\}: expected text/);
  t.equal(cellOf(4_294_967_295, column('integer')), 4_294_967_295n);
  t.equal(schemaOf([column('text')])[0]!.num_children, 9);
  t.end();
});
