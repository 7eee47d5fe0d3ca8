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
 * RIB to columns: entries per second beside `bgpdump -m` and beside unpacking alone, on one generated gz file. With
 * SCALE_RIB=35000000 in the environment also a whole night's dumps, gz and bz2, with the memory they take.
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
        ? 'bgpdump is not installed (Debian: bgpdump): ours alone'
        : 'peer: bgpdump -m of the same file, its lines thrown away, with a malloc that keeps its memory',
      'unpacking: node:zlib and gunzip, the bytes thrown away; peakMb is of the whole process',
    ],
    rows: [
      { subject: 'readRib', figures: { ...ours, entriesPerSecond: ours.entries / ours.seconds } },
      rowOf('unpack alone, node:zlib', gunzip, ours.entries),
      ...(program ? [rowOf('unpack alone, gunzip', program, ours.entries)] : []),
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
            bar: 'at least 10 x the entries per second of bgpdump -m',
            measured: `${ratio.toFixed(1)} x`,
            isMet: ratio >= 10,
          },
        ]),
    {
      what: 'RIB to columns, beside unpacking alone',
      bar: `at most ${OVER_UNPACKING} x its seconds`,
      measured: `${overUnpacking.toFixed(2)} x`,
      isMet: overUnpacking <= OVER_UNPACKING,
    },
  ];
}

/** One thread unpacks while another one reads; the columns are put together behind that. */
const OVER_UNPACKING = 2;

/** The dumps of SCALE_RIB entries, if it is set. */
async function fullNight(): Promise<BenchRow[]> {
  const scale = process.env['SCALE_RIB'] ?? '';
  if (scale === '') return [];
  const entries = Number(scale);
  if (!Number.isSafeInteger(entries) || entries < 1000) {
    throw new RangeError(`SCALE_RIB=${scale} is no number of entries of 1,000 or more`);
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
 * For glibc's malloc: without it bgpdump gives its memory back to the system after every record and spends most of its
 * time so (mallopt(3)).
 */
const KEEP_MEMORY = { MALLOC_TRIM_THRESHOLD_: '268435456', MALLOC_TOP_PAD_: '67108864' };

/** How long a program takes; absent when it is not installed. */
function timeOf(program: string, args: readonly string[]): Timed | undefined {
  const start = performance.now();
  const { error, status } = spawnSync(program, args, {
    stdio: 'ignore',
    env: { ...process.env, ...KEEP_MEMORY },
  });
  if (error) return undefined;
  if (status !== 0) throw new Error(`${program} ended with ${String(status)}`);
  return { seconds: (performance.now() - start) / 1000 };
}

const [part, where = ''] = process.argv.slice(2);
if (part === 'read') printJson(await read(where));
else if (part === 'gunzip') printJson(await unpack(where));
else printJson(await bench(process.argv.includes('--quick') ? QUICK_ENTRIES : ENTRIES));
