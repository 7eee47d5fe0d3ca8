import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { open, Reader, type Response } from 'maxmind';
import {
  peakMb,
  printJson,
  runPart,
  timed,
  type BenchReport,
  type BenchRow,
} from '../../pipeline/bench/bench-report.js';
import { formatIpv4, parseIpv4 } from '../../pipeline/net/address.js';
import { pseudoRandom } from '../../pipeline/table/networks.fixture.js';
import { CountryNames } from '../../pipeline/record/language.js';
import { currentRelease } from '../../pipeline/release/release-store.js';
import { IpRecords } from '../lookup/ip-record.js';
import { loadRelease } from '../release/load-release.js';
import { readReservedSpace } from '../targets/reserved-space.js';
import { clientAddress } from '../targets/target.js';
import { publishSmallRelease } from '../testing/small-release.js';
import { someAddresses } from './scenarios.bench.js';

/** Looks up addresses in the four tables of an IP record, by several readers, each in its own process. */
const FILE = fileURLToPath(import.meta.url);
const FILES = ['geo.mmdb', 'isp.mmdb', 'asn.mmdb', 'routes.mmdb'];
const REGISTRY = fileURLToPath(new URL('../../../fixtures/feeds/iana', import.meta.url));
const PYTHON = '/usr/bin/python3';

/** libmaxminddb through its extension for Python. */
const BY_PYTHON = `
import sys, time, maxminddb
folder, lines = sys.argv[1], open(sys.argv[2]).read().split()
readers = [maxminddb.open_database(folder + '/' + name, maxminddb.MODE_MMAP_EXT) for name in sys.argv[3:]]
began = time.time()
for ip in lines:
    for reader in readers: reader.get(ip)
print(time.time() - began)
`;

/** Looks up all addresses twice, and returns the seconds of the second time. */
type Subject = (folder: string, ips: readonly string[], path: string) => Promise<number> | number;

const SUBJECTS: Readonly<Record<string, Subject>> = {
  'answer table: find': async (folder, ips) => {
    const { answers } = await loadRelease(folder);
    return secondTime(ips, (ip) => answers.find(ip));
  },
  'answer table: record as JSON': async (folder, ips) => {
    const snapshot = await loadRelease(folder);
    const records = new IpRecords({
      reserved: await readReservedSpace(REGISTRY),
      countries: new CountryNames(),
    });
    // The text is joined when its bytes are needed.
    return secondTime(ips, (ip) => Buffer.from(records.textOf(clientAddress(ip), snapshot, 'en'), 'latin1'));
  },
  'maxmind, with its cache': async (folder, ips) => {
    const readers = await Promise.all(FILES.map((name) => open<Response>(join(folder, name))));
    return secondTime(ips, (ip) => readers.map((reader) => reader.get(ip)));
  },
  'mmdb-lib (maxmind without a cache)': (folder, ips) => {
    const readers = FILES.map((name) => new Reader<Response>(readFileSync(join(folder, name))));
    return secondTime(ips, (ip) => readers.map((reader) => reader.get(ip)));
  },
  'libmaxminddb (python3-maxminddb)': (folder, _ips, path) =>
    Number(execFileSync(PYTHON, ['-c', BY_PYTHON, folder, path, ...FILES], { encoding: 'utf8' })),
};

function secondTime(ips: readonly string[], look: (ip: string) => unknown): number {
  for (const ip of ips) look(ip);
  return timed(() => {
    for (const ip of ips) look(ip);
  }).seconds;
}

/** Measures the release in the folder RELEASE with random addresses, or one with generated cities. */
async function bench(count: number): Promise<BenchReport> {
  const scratch = mkdtempSync(join(tmpdir(), 'ipatlas-bench-'));
  const own = process.env['RELEASE'] ?? '';
  try {
    const generated = own === '' ? await generate(scratch) : undefined;
    const folder = realpathSync(generated ?? own);
    const ips = own === '' ? someAddresses(count, CITIES) : randomAddresses(count);
    const rows = [
      ...measure(folder, { order: 'random', ips, scratch }),
      ...measure(folder, { order: 'sorted', ips: ips.toSorted(byValue), scratch }),
    ];
    const what = own === '' ? `${CITIES} generated cities; RELEASE=<folder> measures a release` : own;
    const notes = [
      `${count.toLocaleString('en')} addresses looked up in ${FILES.join(', ')}: ${what}`,
      'the second time in each process; python3-maxminddb once, without caches',
    ];
    return { bench: 'mmdb/read-addresses', notes, rows, bars: [] };
  } finally {
    rmSync(scratch, { recursive: true });
  }
}

const CITIES = 200_000;

async function generate(outputDir: string): Promise<string> {
  await publishSmallRelease(outputDir, { ballast: CITIES });
  return (await currentRelease(outputDir))!.dir;
}

function measure(
  folder: string,
  {
    order,
    ips,
    scratch,
  }: { readonly order: string; readonly ips: readonly string[]; readonly scratch: string },
): BenchRow[] {
  const path = join(scratch, `${order}.txt`);
  writeFileSync(path, ips.join('\n'));
  return Object.keys(SUBJECTS).map((subject) => {
    if (subject.includes('python') && !hasPython())
      return { subject: `${order}: ${subject}: not installed`, figures: {} };
    const { seconds, ...rest } = runPart(FILE, [subject, folder, path]) as {
      seconds: number;
      peakMb: number;
    };
    return {
      subject: `${order}: ${subject}`,
      figures: { addressesPerSecond: ips.length / seconds, ...rest },
    };
  });
}

function hasPython(): boolean {
  return spawnSync(PYTHON, ['-c', 'import maxminddb.extension'], { stdio: 'ignore' }).status === 0;
}

/** Returns random addresses outside of multicast and class E; every run has the same ones. */
function randomAddresses(count: number): string[] {
  const random = pseudoRandom(1);
  return Array.from({ length: count }, () => formatIpv4(random(0xe000_0000)));
}

function byValue(a: string, b: string): number {
  return parseIpv4(a)! - parseIpv4(b)!;
}

const [part = '', folder, path] = process.argv.slice(2);
const subject = SUBJECTS[part];
if (subject && folder !== undefined && path !== undefined) {
  const seconds = await subject(folder, readFileSync(path, 'utf8').split('\n'), path);
  printJson({ seconds, peakMb: peakMb() });
} else printJson(await bench(part === '--quick' ? 20_000 : 200_000));
