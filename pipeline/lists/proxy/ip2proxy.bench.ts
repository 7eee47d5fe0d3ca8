import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parse } from 'csv-parse';
import { zipFile } from '../../../fixtures/generate/zip-file.js';
import { peakMb, printJson, runPart, type BenchReport, type BenchRow } from '../../bench/bench-report.js';
import type { OpenFile } from '../../input/published-source.js';
import { Tally } from '../../input/tally.js';
import { withZip } from '../../input/containers/zip-archive.js';
import { csvEntryOf } from '../../input/containers/csv-entry.js';
import { ListRows } from '../collect-list.js';
import { parseSpecialPurposeRegistry } from '../../net/special-purpose.js';
import { pseudoRandom } from '../../table/networks.fixture.js';
import { reservedSpace } from '../../table/reserved-space.js';
import { IP2PROXY } from './ip2proxy.js';

/** Measures reading PX12 into a table against csv-parse alone on the same bytes: generated rows, and real files. */
const FILE = fileURLToPath(import.meta.url);
const ROOT = resolve(import.meta.dirname, '../../../..');
/** The folder with the real files of the publisher. */
const REAL = resolve(process.env['FEEDS'] ?? join(ROOT, '../shared/data/feeds'), 'ip2proxy');
const NAMES = ['IP2PROXY-LITE-PX12.CSV.ZIP', 'IP2PROXY-LITE-PX12.IPV6.CSV.ZIP'];
const ROWS = 1_000_000;
const QUICK_ROWS = 20_000;

interface Read {
  readonly rows: number;
  readonly seconds: number;
  /** The processor time in user mode, including `finishSeconds`. */
  readonly userSeconds: number;
  readonly peakMb: number;
}

interface ReadByUs extends Read {
  readonly finishSeconds: number;
  readonly networks: number;
  readonly claims: number;
}

function bench(rows: number): BenchReport {
  const dir = mkdtempSync(join(tmpdir(), 'ipatlas-bench-'));
  try {
    mkdirSync(join(dir, 'ip2proxy'));
    generate(join(dir, 'ip2proxy', NAMES[0]!), rows);
    const generated = measure('generated', join(dir, 'ip2proxy'));
    return {
      bench: 'lists/ip2proxy',
      notes: [
        'seconds: unpack, parse, check, insert; finishSeconds: flatten; userSeconds: processor time of both; peakMb is of the whole process',
        'peer: csv-parse as a stream on the same unpacked bytes, rows counted and dropped; timesCsvParse: our userSeconds / its userSeconds',
      ],
      rows: [...generated.rows, ...(existsSync(REAL) ? measure('real files', REAL).rows : [])],
      bars: [
        {
          what: 'a whole file of PX12, against csv-parse alone',
          bar: `at most ${TIMES_CSV_PARSE} x its processor time`,
          measured: `${generated.timesPeer.toFixed(2)} x`,
          isMet: generated.timesPeer <= TIMES_CSV_PARSE,
        },
      ],
    };
  } finally {
    rmSync(dir, { recursive: true });
  }
}

const TIMES_CSV_PARSE = 2.5;

/** Measures both readers on a folder. `timesPeer` is our processor time divided by that of the peer. */
function measure(what: string, dir: string): { readonly rows: BenchRow[]; readonly timesPeer: number } {
  const ours = runPart(FILE, ['ours', dir]) as ReadByUs;
  const peer = runPart(FILE, ['peer', dir]) as Read;
  const timesCsvParse = ours.userSeconds / peer.userSeconds;
  return {
    rows: [
      {
        subject: `${what}: ipatlas`,
        figures: { rowsPerSecond: ours.rows / ours.seconds, ...ours, timesCsvParse },
      },
      {
        subject: `${what}: csv-parse`,
        figures: { rowsPerSecond: peer.rows / peer.seconds, ...peer },
      },
    ],
    timesPeer: timesCsvParse,
  };
}

async function readOurs(dir: string): Promise<ReadByUs> {
  const registries = ['ipv4', 'ipv6'].flatMap((family) =>
    parseSpecialPurposeRegistry(
      readFileSync(join(ROOT, `fixtures/feeds/iana/iana-${family}-special-registry.xml`), 'utf8'),
    ),
  );
  const list = new ListRows(IP2PROXY, reservedSpace(registries));
  const tally = new Tally();
  const cpu = process.cpuUsage();
  const start = performance.now();
  await IP2PROXY.read(filesIn(dir), (file) => list.sinkFor(file, tally), { log: () => undefined });
  const read = performance.now();
  const { table, claims } = list.finish();
  const end = performance.now();
  const userSeconds = process.cpuUsage(cpu).user / 1e6;
  return {
    rows: tally.rows,
    networks: table.networkCount(),
    claims: claims.length,
    seconds: (read - start) / 1000,
    finishSeconds: (end - read) / 1000,
    userSeconds,
    peakMb: peakMb(),
  };
}

async function readPeer(dir: string): Promise<Read> {
  const cpu = process.cpuUsage();
  const start = performance.now();
  let rows = 0;
  for (const file of filesIn(dir)) {
    await withZip(file, async (zip) => {
      const parser = parse({ relax_column_count: true });
      parser.on('data', () => rows++);
      const finished = new Promise<void>((resolve, reject) => parser.on('end', resolve).on('error', reject));
      for await (const chunk of zip.read(csvEntryOf(file, zip))) {
        if (!parser.write(chunk)) await new Promise((resolve) => parser.once('drain', resolve));
      }
      parser.end();
      await finished;
    });
  }
  const seconds = (performance.now() - start) / 1000;
  return { rows, seconds, userSeconds: process.cpuUsage(cpu).user / 1e6, peakMb: peakMb() };
}

function filesIn(dir: string): OpenFile[] {
  return NAMES.filter((name) => existsSync(join(dir, name))).map((name) => ({
    id: `ip2proxy/${name}`,
    folder: 'ip2proxy',
    name,
    container: 'zip',
    path: join(dir, name),
    sizeBytes: statSync(join(dir, name)).size,
    maxUnpackedBytes: Infinity,
    onRead: () => undefined,
  }));
}

/** Generates rows like those of the PX12 sample: 70 % single addresses, 12 % prefixes, the rest other ranges. */
function generate(path: string, count: number): void {
  const random = pseudoRandom(1);
  const isps = Math.min(Math.ceil(count / 3), ISPS);
  const lines: string[] = [];
  let next = 0x0100_0000;
  for (let i = 0; i < count; i++) {
    const [size, isAligned] = SIZES[random(100)]!(random);
    const gap = next + random(2500);
    const start = isAligned ? Math.ceil(gap / size) * size : gap;
    next = start + size;
    lines.push(`"${start}","${start + size - 1}",${columnsOf(random(isps), random)}\n`);
  }
  writeFileSync(path, zipFile([{ name: 'IP2PROXY-LITE-PX12.CSV', bytes: Buffer.from(lines.join('')) }]));
}

/** The number of ISP names in the file. */
const ISPS = 80_000;

type Random = (below: number) => number;

/** The number of addresses of a row, and whether they are a prefix, by percentile. */
const SIZES = Array.from({ length: 100 }, (_, percent) => (random: Random): [number, boolean] => {
  if (percent < 70) return [1, true];
  return percent < 82 ? [2 ** (2 + random(7)), true] : [3 + random(300), false];
});

/** Generates the columns of a row: recent residential proxies, older open proxies, or data centres of yesterday. */
function columnsOf(isp: number, random: Random): string {
  const kind = isp % 3;
  const daysAgo = kind === 0 ? 1 + random(30) : kind === 1 ? 30 : 1;
  const score = kind === 0 ? 61 - daysAgo : kind === 1 ? 80 : 3;
  const type = ['RES', 'PUB', 'DCH'][kind]!;
  const usage = ['ISP/MOB', 'DCH', 'DCH'][kind]!;
  const provider = kind === 0 && isp % 5 === 0 ? 'Webshare' : '-';
  const threat = isp % 40 === 0 ? 'SPAM/SCANNER' : '-';
  const where = `"US","United States of America","California","San Jose"`;
  const whose = `"Network ${isp}, Inc.","network${isp}.example","${usage}","${isp}","Network ${isp}"`;
  return `"${type}",${where},${whose},"${daysAgo}","${threat}","${provider}","${score}"`;
}

const [part, dir] = process.argv.slice(2);
if (part === 'ours') printJson(await readOurs(dir!));
else if (part === 'peer') printJson(await readPeer(dir!));
else printJson(bench(part === '--quick' ? QUICK_ROWS : ROWS));
