import { spawnSync } from 'node:child_process';
import { createReadStream } from 'node:fs';
import { pipeline } from 'node:stream/promises';
import { Writable } from 'node:stream';
import { fileURLToPath } from 'node:url';
import { createGunzip } from 'node:zlib';
import { keptDump, keptNight } from '../../fixtures/generate/routing/kept-world.js';
import { dumpsIn, readDumps } from '../../fixtures/generate/routing/read-world.js';
import {
  peakMb,
  printJson,
  runPart,
  type BenchBar,
  type BenchReport,
  type BenchRow,
} from '../bench/bench-report.js';

/**
 * Measures reading a RIB into columns: entries per second, compared with `bgpdump -m` and with decompression alone, on
 * one generated gz file. With SCALE_RIB=35000000 in the environment also a whole night's dumps (gz and bz2) and their
 * memory.
 */
const FILE = fileURLToPath(import.meta.url);
const ENTRIES = 4_000_000;
const QUICK_ENTRIES = 200_000;

interface Timed {
  readonly seconds: number;
}

interface ReadFigures extends Timed {
  readonly entries: number;
  readonly paths: number;
  readonly peakMb: number;
}

async function bench(entries: number): Promise<BenchReport> {
  const dir = await keptDump(entries);
  const { path } = dumpsIn(dir)[0]!;
  const ours = runPart(FILE, ['read', dir]) as ReadFigures;
  const gunzip = runPart(FILE, ['gunzip', path]) as Timed;
  const program = timeOf('gunzip', ['-c', path]);
  const bgpdump = timeOf('bgpdump', ['-m', path]);
  const full = await fullNight();
  return {
    bench: 'bgp/rib',
    notes: [
      bgpdump === undefined
        ? 'bgpdump is not installed (Debian package: bgpdump); no comparison'
        : 'peer: bgpdump -m on the same file, output discarded, malloc set to keep freed memory',
      'decompression: node:zlib and gunzip, output discarded; peakMb: whole process',
    ],
    rows: [
      { subject: 'readRib', figures: { ...ours, entriesPerSecond: ours.entries / ours.seconds } },
      rowOf('decompression alone, node:zlib', gunzip, ours.entries),
      ...(program ? [rowOf('decompression alone, gunzip', program, ours.entries)] : []),
      ...(bgpdump ? [rowOf('bgpdump -m', bgpdump, ours.entries)] : []),
      ...full,
    ],
    bars: barsOf(ours, gunzip, bgpdump),
  };
}

function rowOf(subject: string, { seconds }: Timed, entries: number): BenchRow {
  return { subject, figures: { seconds, entriesPerSecond: entries / seconds } };
}

function barsOf(ours: Timed, gunzip: Timed, bgpdump: Timed | undefined): BenchBar[] {
  const ratio = bgpdump && bgpdump.seconds / ours.seconds;
  const overUnpacking = ours.seconds / gunzip.seconds;
  return [
    ...(ratio === undefined
      ? []
      : [
          {
            what: 'RIB to columns',
            bar: `at least ${RIB_BAR} x the entries per second of bgpdump -m`,
            measured: `${ratio.toFixed(1)} x`,
            isMet: ratio >= RIB_BAR,
          },
        ]),
    {
      what: 'RIB to columns, relative to decompression alone',
      bar: `at most ${OVER_UNPACKING} x its time`,
      measured: `${overUnpacking.toFixed(2)} x`,
      isMet: overUnpacking <= OVER_UNPACKING,
    },
  ];
}

/** The required ratio to the entries per second of bgpdump. */
const RIB_BAR = 15;

/** One thread decompresses while another one reads; then the columns are joined. */
const OVER_UNPACKING = 2;

/** Returns the figures for dumps of SCALE_RIB entries, if it is set. */
async function fullNight(): Promise<BenchRow[]> {
  const scale = process.env['SCALE_RIB'] ?? '';
  if (scale === '') return [];
  const entries = Number(scale);
  if (!Number.isSafeInteger(entries) || entries < 1000) {
    throw new RangeError(`invalid SCALE_RIB "${scale}": expected a number of entries of at least 1,000`);
  }
  const dir = await keptNight(entries);
  const read = runPart(FILE, ['read', dir]) as ReadFigures;
  return [{ subject: 'a night', figures: { ...read, entriesPerSecond: read.entries / read.seconds } }];
}

async function read(dir: string): Promise<ReadFigures> {
  const start = performance.now();
  const { entries, paths } = await readDumps(dir);
  const seconds = (performance.now() - start) / 1000;
  return { seconds, entries: entries.peers.length, paths: paths.flags.length, peakMb: peakMb() };
}

async function unpack(path: string): Promise<Timed> {
  const start = performance.now();
  const nowhere = new Writable({
    write: (_chunk, _encoding, done) => {
      done();
    },
  });
  await pipeline(createReadStream(path), createGunzip({ chunkSize: 1 << 18 }), nowhere);
  return { seconds: (performance.now() - start) / 1000 };
}

/**
 * Settings of glibc's malloc (mallopt(3)). Without them bgpdump returns its memory to the system after every record and
 * spends most of its time on that.
 */
const KEEP_MEMORY = { MALLOC_TRIM_THRESHOLD_: '268435456', MALLOC_TOP_PAD_: '67108864' };

/** Returns the time of a program; undefined if it is not installed. */
function timeOf(program: string, args: readonly string[]): Timed | undefined {
  const start = performance.now();
  const { error, status } = spawnSync(program, args, {
    stdio: 'ignore',
    env: { ...process.env, ...KEEP_MEMORY },
  });
  if (error) return undefined;
  if (status !== 0) throw new Error(`${program} failed with exit code ${String(status)}`);
  return { seconds: (performance.now() - start) / 1000 };
}

const [part, where = ''] = process.argv.slice(2);
if (part === 'read') printJson(await read(where));
else if (part === 'gunzip') printJson(await unpack(where));
else printJson(await bench(process.argv.includes('--quick') ? QUICK_ENTRIES : ENTRIES));
