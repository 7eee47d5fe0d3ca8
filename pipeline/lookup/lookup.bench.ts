import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Reader, type Response } from 'maxmind';
import {
  peakMb,
  printJson,
  runPart,
  timed,
  type BenchBar,
  type BenchReport,
  type BenchRow,
} from '../bench/bench-report.js';
import { AddressTexts } from './address-texts.js';
import { TextInput } from './line-input.js';
import { LookupStream } from './look-up.js';
import { NOTATIONS } from './notation.js';
import { openFinders } from './open-finders.js';
import { rowOutput } from './row-output.js';
import { linkRelease, writeGenerated } from './testing/bench-folders.js';

const FILE = fileURLToPath(import.meta.url);
const FIELDS = ['country_code', 'region', 'city', 'asn', 'org', 'isp'];

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

const PYTHON_SUBJECT = 'python3-geoip2';

/** The measured programs: each returns its seconds without loading the files. */
const SUBJECTS: Readonly<Record<string, (folder: string) => number>> = {
  [PYTHON_SUBJECT]: (folder) =>
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

/**
 * Measures all subjects on a folder with the three files and `lines.txt`. Without python3-geoip2 its row has no figures
 * and its bar is missed.
 */
function measure(
  folder: string,
  { input, lineCount }: { readonly input: string; readonly lineCount: number },
): Measured {
  const rows = Object.keys(SUBJECTS).map((subject) => {
    if (subject === PYTHON_SUBJECT && !hasPython())
      return { subject: `${input}: ${subject}: not installed`, figures: {} };
    const { seconds, ...rest } = runPart(FILE, [subject, folder]) as { seconds: number; peakMb: number };
    return {
      subject: `${input}: ${subject}`,
      figures: { seconds, linesPerSecond: lineCount / seconds, ...rest },
    };
  });
  const [python, maxmind, own] = rows.map(({ figures }: BenchRow) => figures['linesPerSecond'] ?? undefined);
  const barOf = (what: string, other: number | undefined, least: number): BenchBar => {
    const ratio = other === undefined ? undefined : own! / other;
    const measured = ratio === undefined ? 'not measured' : `${ratio.toFixed(1)} x`;
    return {
      what: `${input}: ${what}`,
      bar: `at least ${least} x`,
      measured,
      isMet: ratio !== undefined && ratio >= least,
    };
  };
  const bars = [
    barOf('lines a second of python3-geoip2', python, 5),
    barOf('lines a second of maxmind', maxmind, 2),
  ];
  return { rows, bars };
}

type Measured = Pick<BenchReport, 'rows' | 'bars'>;

function hasPython(): boolean {
  return spawnSync('/usr/bin/python3', ['-c', 'import geoip2.database'], { stdio: 'ignore' }).status === 0;
}

/** Measures generated files, and the release in the folder RELEASE with random addresses if it is set. */
function bench(networkCount: number, lineCount: number): BenchReport {
  const folder = mkdtempSync(join(tmpdir(), 'ipatlas-bench-'));
  const release = process.env['RELEASE'] ?? '';
  try {
    writeGenerated(folder, networkCount, lineCount);
    const parts = [measure(folder, { input: 'generated', lineCount })];
    if (release !== '') {
      const random = join(folder, 'random');
      linkRelease(random, release, lineCount);
      parts.push(measure(random, { input: 'random', lineCount }));
    }
    const real =
      release === ''
        ? 'RELEASE=<folder of a release> adds random addresses in it'
        : `random: IPv4 addresses in ${release}`;
    return {
      bench: 'lookup',
      notes: [
        `generated: ${networkCount / 1e6} M networks in each of three files, ${lineCount.toLocaleString('en')} lines in mixed order`,
        real,
      ],
      rows: parts.flatMap(({ rows }) => rows),
      bars: parts.flatMap(({ bars }) => bars),
    };
  } finally {
    rmSync(folder, { recursive: true });
  }
}

const [part = '', folder] = process.argv.slice(2);
const subject = SUBJECTS[part];
if (subject && folder !== undefined) printJson({ seconds: subject(folder), peakMb: peakMb() });
else printJson(part === '--quick' ? bench(50_000, 50_000) : bench(1_000_000, 500_000));
