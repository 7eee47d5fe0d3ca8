import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'csv-parse/sync';
import t from 'tap';
import { openDataset } from './dataset.js';
import { exportCsv } from './csv.js';
import { networksOf } from './networks.js';
import { writeDatasets } from './testing/small-datasets.js';

const dir = t.testdir();
writeDatasets(dir);

async function exported(name: string, options: { ranges?: boolean; comments?: boolean } = {}) {
  const dataset = await openDataset(join(dir, name));
  const path = join(dir, `${name}.csv`);
  const source = { dataset, networks: () => networksOf(dataset) };
  const written = await exportCsv(source, path, { ranges: false, comments: true, ...options });
  const text = readFileSync(path, 'utf8');
  const rows: Record<string, string>[] = parse(text, { columns: true, comment: '#', comment_no_infix: true });
  return { written, path, text, rows };
}

t.test('a row has the network and the fields of its record', async (t) => {
  const { rows, written, path, text } = await exported('geo.mmdb');
  t.same(written, [{ path, rows: 6, sizeBytes: Buffer.byteLength(text) }]);
  const [first, second] = rows;
  t.match(first, {
    network: '1.0.0.0/24',
    country_iso_code: 'CN',
    country_name_zh: '中国',
    country_confidence: '99',
    registered_country_iso_code: 'US',
    subdivision_iso_code: 'JS',
    subdivision_name_zh: '江苏省',
    city_name: 'Nanjing, "南京"',
    city_geoname_id: '1799962',
    latitude: '32.0617',
    longitude: '118.7778',
    time_zone: 'Asia/Shanghai',
    is_anycast: '',
    decided_by: 'vote',
    country_feeds: 'own dbip',
  });
  t.match(second, { network: '1.0.1.0/24', country_iso_code: 'CN', city_name: '', latitude: '' });
  t.match(rows[3], { network: '8.8.0.0/16', latitude: '0', longitude: '-97.5', is_anycast: '1' });
  t.match(rows[5], { network: '240e::/20', country_iso_code: 'CN' });
});

t.test('the file begins with the terms and attributions of the dataset, each on one line', async (t) => {
  const { text } = await exported('geo.mmdb');
  const lines = text.split('\n').filter((line) => line.startsWith('#'));
  t.match(lines[0], '# geo.mmdb (ipatlas-City), built 2026-11-19T');
  t.same(lines.slice(2), [
    '# Terms: may be redistributed with the attributions and under the same licence',
    '# Attribution: Data of publisher 1 with a second line',
  ]);
});

t.test('without comments the first line has the names, and the terms are in a file beside', async (t) => {
  const { text, written } = await exported('isp.mmdb', { comments: false });
  t.match(text, /^network,isp,/);
  t.match(readFileSync(written[1]!.path, 'utf8'), 'must not be redistributed');
});

t.test('ranges have the first and the last address', async (t) => {
  const { rows } = await exported('asn.mmdb', { ranges: true });
  t.match(rows[0], { network: '1.0.0.0/25', start: '1.0.0.0', end: '1.0.0.127' });
  t.match(rows.at(-1), { start: '2001:4860::', end: '2001:4860:ffff:ffff:ffff:ffff:ffff:ffff' });
  t.match(rows[1], { autonomous_system_number: '13335', autonomous_system_organization: 'Cloudflare, Inc.' });
});

t.test('an export that fails leaves the file that was there, and no draft', async (t) => {
  const path = join(t.testdir({ 'geo.csv': 'before' }), 'geo.csv');
  const dataset = await openDataset(join(dir, 'geo.mmdb'));
  const fail = (): never => {
    throw new Error('damaged');
  };
  const failing = { dataset, networks: () => ({ ...networksOf(dataset), next: fail }) };
  await t.rejects(exportCsv(failing, path, { ranges: false, comments: true }), /damaged/);
  t.equal(readFileSync(path, 'utf8'), 'before');
  t.same(readdirSync(join(path, '..')), ['geo.csv']);
});

t.test('other files are refused', async (t) => {
  const folder = t.testdir({ 'text.mmdb': 'no database' });
  await t.rejects(openDataset(join(folder, 'text.mmdb')), /text\.mmdb is not an MMDB file/);
  await t.rejects(openDataset(join(folder, 'none.mmdb')), /file not found/);
});
