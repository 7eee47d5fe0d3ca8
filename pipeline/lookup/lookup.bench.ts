import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Reader, type Response } from 'maxmind';
import { peakMb, printJson, runPart, timed, type BenchReport } from '../bench/bench-report.js';
import { exampleRecords } from '../mmdb/city-records.fixture.js';
import { ASN_SCHEMA, CITY_SCHEMA, ISP_SCHEMA } from '../mmdb/testing/record-schemas.js';
import { writeMmdb } from '../mmdb/write.js';
import { formatIpv4 } from '../net/address.js';
import { addressOf, exampleNetworks } from '../table/networks.fixture.js';
import { PrefixTable } from '../table/prefix-table.js';
import { AddressTexts } from './address-texts.js';
import { TextInput } from './line-input.js';
import { LookupStream } from './look-up.js';
import { NOTATIONS } from './notation.js';
import { openFinders } from './open-finders.js';
import { rowOutput } from './row-output.js';

const FILE = fileURLToPath(import.meta.url);
const FIELDS = ['country_code', 'region', 'city', 'asn', 'org', 'isp'];
const RECORDS = 20_000;

/** The loop that a user of python3-geoip2 would write. */
const PYTHON = `
import sys, csv, io, time, geoip2.database, geoip2.errors
city, asn, isp = (geoip2.database.Reader(sys.argv[1] + '/' + name + '.mmdb') for name in ('geo', 'asn', 'isp'))
began = time.time()
out = csv.writer(io.StringIO())
def known(get, ip, count, fields):
    try: return fields(get(ip))
    except geoip2.errors.AddressNotFoundError: return [''] * count
for line in open(sys.argv[1] + '/lines.txt'):
    ip = line.strip()
    out.writerow([ip] + known(city.city, ip, 3, lambda r: [r.country.iso_code, r.subdivisions.most_specific.names.get('en'), r.city.names.get('en')])
      + known(asn.asn, ip, 2, lambda r: [r.autonomous_system_number, r.autonomous_system_organization]) + known(isp.isp, ip, 1, lambda r: [r.isp]))
print(time.time() - began)
`;

/** The measured programs: each returns its seconds without loading the files. */
const SUBJECTS: Readonly<Record<string, (folder: string) => number>> = {
  'python3-geoip2': (folder) =>
    Number(execFileSync('/usr/bin/python3', ['-c', PYTHON, folder], { encoding: 'utf8' })),
  'maxmind in a loop': byMaxmind,
  'ipatlas lookup': ours,
};

function byMaxmind(folder: string): number {
  const [geo, asn, isp] = ['geo', 'asn', 'isp'].map(
    (name) => new Reader<Response>(readFileSync(join(folder, `${name}.mmdb`))),
  );
  return timed(() => {
    const rows: string[] = [];
    for (const ip of readFileSync(join(folder, 'lines.txt'), 'utf8').trimEnd().split('\n')) {
      const records = [geo!.get(ip), asn!.get(ip), isp!.get(ip)] as Readonly<Record<string, unknown>>[];
      rows.push(`${ip},${cellsOf(records)}`);
    }
    return rows.join('\n').length;
  }).seconds;
}

function cellsOf([geo, asn, isp]: readonly (Readonly<Record<string, unknown>> | null)[]): string {
  const { country, subdivisions, city } = (geo ?? {}) as {
    country?: { iso_code?: string };
    subdivisions?: { names?: { en?: string } }[];
    city?: { names?: { en?: string } };
  };
  const cells = [country?.iso_code, subdivisions?.[0]?.names?.en, city?.names?.en];
  const operator = [asn?.['autonomous_system_number'], asn?.['autonomous_system_organization'], isp?.['isp']];
  return [...cells, ...operator].map((cell) => String((cell as string | number | undefined) ?? '')).join(',');
}

function ours(folder: string): number {
  const { finders } = openFinders(folder, FIELDS);
  return timed(() => {
    const wanted = { fields: FIELDS, language: 'en', notation: NOTATIONS.csv, prefix: '' } as const;
    const input = new TextInput();
    const output = rowOutput('csv', input, FIELDS);
    const stream = new LookupStream({
      input,
      output,
      texts: new AddressTexts(finders, wanted),
      names: FIELDS,
    });
    const lines = readFileSync(join(folder, 'lines.txt'));
    for (let at = 0; at < lines.length; at += 1 << 18) stream.add(lines.subarray(at, at + (1 << 18)));
    stream.end();
  }).seconds;
}

/** Writes three datasets and addresses in random order. */
function prepare(folder: string, networkCount: number, lineCount: number): void {
  const asns = Array.from({ length: RECORDS }, (_, i) => ({
    autonomous_system_number: i + 1,
    autonomous_system_organization: `Network ${i}`,
  }));
  const content = {
    geo: { records: exampleRecords(RECORDS), schema: CITY_SCHEMA, databaseType: 'ipatlas-GeoLite2-City' },
    asn: { records: asns, schema: ASN_SCHEMA, databaseType: 'ipatlas-GeoLite2-ASN' },
    isp: {
      records: asns.map((one, i) => ({ ...one, isp: `ISP ${i}` })),
      schema: ISP_SCHEMA,
      databaseType: 'ipatlas-GeoIP2-ISP',
    },
  };
  const networks = exampleNetworks(networkCount, RECORDS);
  const table = new PrefixTable();
  for (let i = 0; i < networks.count; i++)
    table.insert(addressOf(networks, i), networks.lengths[i]!, networks.recordIds[i]!);
  const flat = table.flatten();
  const rest = {
    table: flat,
    description: { en: 'bench' },
    languages: ['en'],
    ipVersion: 6,
    buildEpoch: 1_795_046_400,
  } as const;
  for (const [name, one] of Object.entries(content))
    writeMmdb(join(folder, `${name}.mmdb`), { ...one, ...rest });
  const ipv4 = Math.floor(networkCount * 0.66);
  // 7919 is prime to the count of networks, so that the lines jump through the whole space.
  const lines = Array.from({ length: lineCount }, (_, i) =>
    formatIpv4(addressOf(networks, (i * 7919) % ipv4)[3]!),
  );
  writeFileSync(join(folder, 'lines.txt'), `${lines.join('\n')}\n`);
}

function bench(networkCount: number, lineCount: number): BenchReport {
  const folder = mkdtempSync(join(tmpdir(), 'ipatlas-bench-'));
  try {
    prepare(folder, networkCount, lineCount);
    const rows = Object.keys(SUBJECTS).map((subject) => {
      const { seconds, ...rest } = runPart(FILE, [subject, folder]) as { seconds: number; peakMb: number };
      return { subject, figures: { seconds, linesPerSecond: lineCount / seconds, ...rest } };
    });
    const [python, maxmind, own] = rows.map(({ figures }) => figures.linesPerSecond) as [
      number,
      number,
      number,
    ];
    const barOf = (what: string, ratio: number, least: number) => ({
      what,
      bar: `at least ${least} x`,
      measured: `${ratio.toFixed(1)} x`,
      isMet: ratio >= least,
    });
    return {
      bench: 'lookup',
      notes: [
        `${networkCount / 1e6} M networks in each of three files, ${lineCount.toLocaleString('en')} lines in mixed order`,
      ],
      rows,
      bars: [
        barOf('lines a second of python3-geoip2', own / python, 5),
        barOf('lines a second of maxmind', own / maxmind, 2),
      ],
    };
  } finally {
    rmSync(folder, { recursive: true });
  }
}

const [part = '', folder] = process.argv.slice(2);
const subject = SUBJECTS[part];
if (subject && folder !== undefined) printJson({ seconds: subject(folder), peakMb: peakMb() });
else printJson(part === '--quick' ? bench(50_000, 50_000) : bench(1_000_000, 500_000));
