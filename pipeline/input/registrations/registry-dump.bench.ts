import { appendFileSync, mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { gunzipSync, gzipSync } from 'node:zlib';
import { peakMb, printJson, runPart, type BenchReport } from '../../bench/bench-report.js';
import type { OpenFile } from '../published-source.js';
import { GeofeedReferences } from './geofeed-blocks.js';
import { readReferences } from './read-references.js';
import { readRegistryDump } from './registry-dump.js';

/** Measures reading the references of a generated dump, unpacked in memory and packed on disk. */
const FILE = fileURLToPath(import.meta.url);
const MEGABYTES = 500;
const QUICK_MEGABYTES = 10;
/** One registration in so many has a geofeed. */
const EVERY = 60;

interface Read {
  readonly megabytesPerSecond: number;
  readonly userSeconds: number;
  readonly references: number;
  readonly peakMb: number;
}

function bench(megabytes: number): BenchReport {
  const dir = mkdtempSync(join(tmpdir(), 'ipatlas-bench-'));
  try {
    const path = join(dir, 'test.db.gz');
    generate(path, megabytes);
    const scan = runPart(FILE, ['scan', path]) as Read;
    const packed = runPart(FILE, ['packed', path, megabytes * 1e6]) as Read;
    return {
      bench: 'input/registry-dump',
      notes: [`a dump of ${megabytes} MB; packed: unpacks and checks the references as well`],
      rows: [
        { subject: 'scan', figures: { ...scan } },
        { subject: 'packed', figures: { ...packed } },
      ],
      bars: [
        {
          what: 'a packed dump',
          bar: `at least ${LEAST} MB/s unpacked`,
          measured: `${packed.megabytesPerSecond.toFixed(0)} MB/s`,
          isMet: packed.megabytesPerSecond >= LEAST,
        },
      ],
    };
  } finally {
    rmSync(dir, { recursive: true });
  }
}

const LEAST = 150;

/** Writes a gzip file of several members with registrations in the layout of RIPE NCC. */
function generate(path: string, megabytes: number): void {
  let count = 0;
  for (let bytes = 0; bytes < megabytes * 1e6;) {
    const objects: string[] = [];
    for (let i = 0; i < 20_000; i++) objects.push(registration(count++));
    const member = objects.join('');
    bytes += member.length;
    appendFileSync(path, gzipSync(member, { level: 1 }));
  }
}

function registration(n: number): string {
  const network = `${1 + ((n >>> 16) % 200)}.${(n >>> 8) & 255}.${n & 255}`;
  const remark = n % (2 * EVERY) === 0 ? 'remarks:        Geofeed ' : 'geofeed:        ';
  return `inetnum:        ${network}.0 - ${network}.255
netname:        NET-${n}
descr:          Customer ${n} of the general telephone company, Geodesic Street
country:        DE
status:         ASSIGNED PA
mnt-by:         MNT-${n % 999}
${n % EVERY === 0 ? `${remark}https://operator-${n % 8000}.example.net/geofeed.csv\n` : ''}created:        2002-09-20T10:00:00Z
last-modified:  2019-05-20T10:00:00Z
source:         TEST
remarks:        ****************************
remarks:        * This object is modified: personal data has been removed from it.
remarks:        ****************************

`;
}

async function scan(path: string): Promise<Read> {
  const bytes = gunzipSync(readFileSync(path));
  let references = 0;
  return measured(bytes.length, async () => {
    await readRegistryDump({ id: 'test' }, chunksOf(bytes), { reference: () => references++ });
    return references;
  });
}

async function packed(path: string, bytes: number): Promise<Read> {
  const sizeBytes = statSync(path).size;
  const named = { id: 'test', folder: 'test', name: 'test', container: 'gz', path, sizeBytes } as const;
  const file: OpenFile = { ...named, maxUnpackedBytes: Infinity, onRead: () => undefined };
  return measured(bytes, async () => {
    const references = new GeofeedReferences();
    await readReferences(file, references, { accept: () => undefined, reject: () => undefined });
    references.blocks();
    return references.count;
  });
}

async function measured(bytes: number, run: () => Promise<number>): Promise<Read> {
  const before = process.cpuUsage();
  const start = performance.now();
  const references = await run();
  const seconds = (performance.now() - start) / 1000;
  const userSeconds = process.cpuUsage(before).user / 1e6;
  return { megabytesPerSecond: bytes / 1e6 / seconds, userSeconds, references, peakMb: peakMb() };
}

// eslint-disable-next-line @typescript-eslint/require-await -- a stream of bytes in memory
async function* chunksOf(bytes: Buffer): AsyncGenerator<Buffer> {
  const size = 512 * 1024;
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size);
}

const [part, path = '', bytes] = process.argv.slice(2);
if (part === 'scan') printJson(await scan(path));
else if (part === 'packed') printJson(await packed(path, Number(bytes)));
else printJson(bench(part === '--quick' ? QUICK_MEGABYTES : MEGABYTES));
