import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { peakMb, printJson, runPart, type BenchReport } from '../bench/bench-report.js';
import { exampleRecords } from '../mmdb/city-records.fixture.js';
import { CITY_SCHEMA } from '../mmdb/testing/record-schemas.js';
import { writeMmdb } from '../mmdb/write.js';
import { addressOf, exampleNetworks } from '../table/networks.fixture.js';
import { PrefixTable } from '../table/prefix-table.js';
import { openDataset } from './dataset.js';
import { FORMATS, type FormatName } from './formats.js';
import { networksOf } from './networks.js';

const FILE = fileURLToPath(import.meta.url);
const RECORDS = 200_000;
const MEASURED: readonly FormatName[] = ['csv', 'parquet', 'geolite2-csv', 'xdb'];
const PYTHON = '/usr/bin/python3';
const PEER = 'python3-maxminddb to csv';

const PYTHON_PROBE = 'import maxminddb.extension as e; assert hasattr(e.Reader, "__iter__")';

/** The loop that a user of python3-maxminddb would write, with ten of the 28 columns. Prints networks, seconds and kB. */
const PYTHON_LOOP = `
import sys, csv, json, time, resource, maxminddb
began = time.process_time()
count = 0
with maxminddb.open_database(sys.argv[1], maxminddb.MODE_MMAP_EXT) as reader, open(sys.argv[2], 'w') as out:
    rows = csv.writer(out)
    for network, r in reader:
        country, city, location = r.get('country', {}), r.get('city', {}), r.get('location', {})
        region = (r.get('subdivisions') or [{}])[0]
        rows.writerow([network, country.get('iso_code'), country.get('names', {}).get('en'), region.get('iso_code'),
            region.get('names', {}).get('en'), city.get('geoname_id'), city.get('names', {}).get('en'),
            location.get('latitude'), location.get('longitude'), location.get('time_zone')])
        count += 1
peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
print(json.dumps({'networks': count, 'cpuSeconds': time.process_time() - began, 'peakMb': peak * 1024 / 1e6}))
`;

/** The result of one subject: the time of the processor, because other work on the machine changes the wall time. */
interface Measured {
  readonly networks: number;
  readonly cpuSeconds: number;
  readonly wallSeconds?: number;
  readonly peakMb: number;
}

async function measure(format: FormatName, path: string, out: string): Promise<Measured> {
  const before = process.cpuUsage();
  const began = performance.now();
  const dataset = await openDataset(path);
  const written = await FORMATS[format].write({ dataset, networks: () => networksOf(dataset) }, out, {});
  const { user, system } = process.cpuUsage(before);
  const wallSeconds = (performance.now() - began) / 1000;
  const networks = format === 'csv' || format === 'parquet' ? written[0]!.rows : await count(path);
  return { networks, cpuSeconds: (user + system) / 1e6, wallSeconds, peakMb: peakMb() };
}

async function count(path: string): Promise<number> {
  const networks = networksOf(await openDataset(path));
  let found = 0;
  while (networks.next()) found++;
  return found;
}

/** Returns undefined where python3-maxminddb is missing, or older than 2.3: those cannot list networks. */
function measurePeer(path: string, out: string): Measured | undefined {
  if (spawnSync(PYTHON, ['-c', PYTHON_PROBE]).status !== 0) return undefined;
  const printed = execFileSync(PYTHON, ['-c', PYTHON_LOOP, path, out], { encoding: 'utf8' });
  return JSON.parse(printed) as Measured;
}

/** Writes a geo.mmdb of generated networks. Returns its path. */
function generate(folder: string, networkCount: number): string {
  const networks = exampleNetworks(networkCount, RECORDS);
  const table = new PrefixTable();
  for (let i = 0; i < networks.count; i++)
    table.insert(addressOf(networks, i), networks.lengths[i]!, networks.recordIds[i]!);
  const path = join(folder, 'geo.mmdb');
  writeMmdb(path, {
    table: table.flatten(),
    records: exampleRecords(RECORDS),
    schema: CITY_SCHEMA,
    databaseType: 'ipatlas-City',
    description: { en: 'bench' },
    languages: ['en'],
    ipVersion: 6,
    buildEpoch: 1_795_046_400,
  });
  return path;
}

function bench(networkCount: number, release: string): BenchReport {
  const folder = mkdtempSync(join(tmpdir(), 'ipatlas-bench-'));
  try {
    const path = release === '' ? generate(folder, networkCount) : join(release, 'geo.mmdb');
    const results = new Map<string, Measured>();
    for (const format of MEASURED)
      results.set(format, runPart(FILE, [format, path, join(folder, `out-${format}`)]) as Measured);
    const peer = measurePeer(path, join(folder, 'out-python'));
    if (peer) results.set(PEER, peer);
    const rows = [...results].map(([subject, { networks, cpuSeconds, ...rest }]) => ({
      subject,
      figures: { networks, cpuSeconds, networksPerCpuSecond: networks / cpuSeconds, ...rest },
    }));
    const csv = results.get('csv')!;
    const seconds = (csv.wallSeconds! / csv.networks) * BAR_NETWORKS;
    const origin =
      release === '' ? 'generated; RELEASE=<folder> measures that of a release' : `of ${release}`;
    return {
      bench: 'export',
      notes: [
        `geo.mmdb of ${csv.networks.toLocaleString('en')} networks, ${Math.round(statSync(path).size / 1e6)} MB, ${origin}`,
        ...(peer ? [] : [`${PEER}: skipped, python3-maxminddb 2.3 or newer is not installed`]),
      ],
      rows,
      bars: [
        // The start counts too much in a small file.
        ...(csv.networks < 500_000
          ? []
          : [bar('seconds for 6.6 M networks to csv, at this speed', seconds, 40, 's')]),
        bar('peak memory of csv', csv.peakMb, 500, 'MB'),
      ],
    };
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** The networks of a geo.mmdb from all feeds. */
const BAR_NETWORKS = 6_600_000;

function bar(what: string, measured: number, most: number, unit: string) {
  const isMet = measured < most;
  return { what, bar: `below ${most} ${unit}`, measured: `${measured.toFixed(1)} ${unit}`, isMet };
}

const [part = '', path, out] = process.argv.slice(2);
if (path !== undefined && out !== undefined) printJson(await measure(part as FormatName, path, out));
else printJson(bench(part === '--quick' ? 100_000 : 1_000_000, process.env['RELEASE'] ?? ''));
