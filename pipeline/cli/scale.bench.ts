import {
  existsSync,
  linkSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { generateLists, LISTS_VERSION, type ListsSummary } from '../../fixtures/generate/lists.js';
import {
  generateRouting,
  optionsFor,
  ROUTING_VERSION,
  type RoutingSummary,
} from '../../fixtures/generate/routing.js';
import { generateWorld, WORLD_VERSION, type WorldSummary } from '../../fixtures/generate/world.js';
import {
  peakMb,
  printJson,
  runPart,
  type BenchBar,
  type BenchReport,
  type BenchRow,
} from '../bench/bench-report.js';
import { LISTS } from '../lists/catalogue.js';
import { measureBuild, type MeasuredBuild, type MeasuredJob } from './testing/measured-build.js';

/**
 * Measures a whole build at scale: a generated world of SCALE rows of feeds, with a routing table and lists of proxies
 * in proportion, built by the command line, built again unchanged, and built from the files of a later night: in all feeds
 * one network in a hundred is in another city, routing table and lists are the same. The worlds are kept in the folder for
 * temporary files.
 */
const FILE = fileURLToPath(import.meta.url);
const SEED = 1;
const QUICK_ROWS = 100_000;
const DEFAULT_ROWS = 1_000_000;

/** The bars of a full build. */
const FULL_NIGHT_ROWS = 25_000_000;
const FULL_NIGHT_SECONDS = 300;
const FULL_NIGHT_MB = 6000;
const UNCHANGED_SECONDS = 30;
/** The bar of lists: a small part of the whole build. */
const LISTS_SECONDS = 60;

/** A full build has 25 M rows of feeds, 35 M routing entries and 1 M rows of lists. */
const ENTRIES_PER_ROW = 1.4;
const LIST_ROWS_PER_ROW = 0.04;

const VERSIONS = [WORLD_VERSION, ROUTING_VERSION, LISTS_VERSION].join('.');

interface Generated {
  readonly seconds: number;
  readonly peakMb: number;
}

async function bench(rows: number): Promise<BenchReport> {
  const dir = join(tmpdir(), `ipatlas-world-v${VERSIONS}-${rows}-${SEED}`);
  const generated = existsSync(dir) ? undefined : generateNight(rows, dir);
  const nextDir = `${dir}-next`;
  if (!existsSync(nextDir)) generateNext(rows, dir, nextDir);
  const summary = JSON.parse(readFileSync(join(dir, 'world.json'), 'utf8')) as WorldSummary;
  const routing = JSON.parse(readFileSync(join(dir, 'routing.json'), 'utf8')) as RoutingSummary;
  const lists = JSON.parse(readFileSync(join(dir, 'lists.json'), 'utf8')) as ListsSummary;
  const outputDir = mkdtempSync(join(tmpdir(), 'ipatlas-scale-'));
  try {
    const settings = { FEEDS: dir, OUTPUT: outputDir };
    const first = await measureBuild(settings);
    const second = await measureBuild(settings);
    const next = await measureBuild({ ...settings, FEEDS: nextDir });
    return report({ summary, routing, lists }, { generated, first, second, next });
  } finally {
    rmSync(outputDir, { recursive: true, force: true, maxRetries: 5 });
  }
}

/** Generates the world next to its folder and renames it: an existing folder is complete. */
function generateNight(rows: number, dir: string): GeneratedNight {
  const unfinished = `${dir}.tmp-${process.pid}`;
  const feeds = runPart(FILE, ['feeds', rows, unfinished]) as Generated;
  const routing = runPart(FILE, ['routing', rows, unfinished]) as Generated;
  const lists = runPart(FILE, ['lists', rows, unfinished]) as Generated;
  renameSync(unfinished, dir);
  return { feeds, routing, lists };
}

/** Generates the feeds of a later night. The other files are those of the first. */
function generateNext(rows: number, dir: string, nextDir: string): void {
  const unfinished = `${nextDir}.tmp-${process.pid}`;
  runPart(FILE, ['next-feeds', rows, unfinished]);
  for (const entry of readdirSync(dir, { recursive: true, withFileTypes: true })) {
    const from = join(entry.parentPath, entry.name);
    const to = join(unfinished, relative(dir, from));
    if (!entry.isFile() || existsSync(to)) continue;
    mkdirSync(dirname(to), { recursive: true });
    linkSync(from, to);
  }
  renameSync(unfinished, nextDir);
}

/** Generates one part of the world; each runs in its own process. */
async function generate(step: Step, rows: number, dir: string): Promise<Generated> {
  const start = performance.now();
  const options = { rows, seed: SEED };
  if (step === 'feeds') await generateWorld(options, dir);
  else if (step === 'next-feeds') await generateWorld({ ...options, night: 2 }, dir);
  else if (step === 'lists') await generateLists({ ...options, rows: rows * LIST_ROWS_PER_ROW }, dir);
  else await generateRouting(optionsFor(rows * ENTRIES_PER_ROW, SEED), dir, { besideFeeds: true });
  return { seconds: (performance.now() - start) / 1000, peakMb: peakMb() };
}

const STEPS = ['feeds', 'next-feeds', 'routing', 'lists'] as const;
type Step = (typeof STEPS)[number];
type GeneratedNight = Readonly<Record<Exclude<Step, 'next-feeds'>, Generated>>;

interface Night {
  readonly summary: WorldSummary;
  readonly routing: RoutingSummary;
  readonly lists: ListsSummary;
}

interface Runs {
  readonly generated: GeneratedNight | undefined;
  readonly first: MeasuredBuild;
  readonly second: MeasuredBuild;
  /** The build of the later night. */
  readonly next: MeasuredBuild;
}

function report({ summary, routing, lists }: Night, { generated, first, second, next }: Runs): BenchReport {
  const { networks } = summary;
  const dumps = Object.values(routing.dumps);
  const entries = dumps.reduce((sum, dump) => sum + dump.entries, 0);
  const packedMb = dumps.reduce((sum, dump) => sum + dump.packedBytes, 0) / 1e6;
  const rowsRead = first.jobs.reduce((sum, { rows }) => sum + (rows ?? 0), 0);
  return {
    bench: 'scale',
    notes: [
      `input: ${grouped(summary.feedRows)} generated rows over all feeds, ${grouped(rowsRead)} of them read by the catalogue's`,
      `the world: ${grouped(networks.ipv4)} IPv4 and ${grouped(networks.ipv6)} IPv6 networks in ${grouped(summary.cities)} cities`,
      `routing: ${grouped(entries)} entries in ${dumps.length} dumps of ${grouped(Math.round(packedMb))} MB, ${grouped(routing.files['rpki/vrps.csv']!.rows)} VRPs`,
      `lists: ${grouped(lists.listRows)} generated rows of proxies, exits and clouds`,
      'peakMb: of the process of the build with all its threads; jobs run side by side, so their seconds overlap',
    ],
    rows: [
      ...Object.entries(generated ?? {}).map(([step, figures]) => ({
        subject: `generate ${step}`,
        figures: { ...figures },
      })),
      buildRow('build', first, rowsRead),
      ...first.jobs.map(jobRow),
      buildRow('build, nothing changed', second),
      buildRow('build, the next night', next),
      ...next.jobs.filter(({ job }) => /^(write|compile|changes|publish)/.test(job)).map(jobRow),
    ],
    bars: barsOf(summary.feedRows, { first, second, next }),
  };
}

function jobRow({ job, seconds, rows }: MeasuredJob): BenchRow {
  return {
    subject: `  ${job}`,
    figures: { seconds, ...(rows !== undefined && { rows, rowsPerSecond: rows / seconds }) },
  };
}

function buildRow(subject: string, { seconds, peakMb }: MeasuredBuild, rows?: number): BenchRow {
  const read = rows !== undefined && { rows, rowsPerSecond: rows / seconds };
  return { subject, figures: { seconds, ...(peakMb !== undefined && { peakMb }), ...read } };
}

/** The bars: a smaller build has its share of the full build's time, but at least the time of an unchanged build. */
function barsOf(rows: number, { first, second, next }: Omit<Runs, 'generated'>): BenchBar[] {
  return [
    ...nightBars(`a build of ${grouped(rows)} rows`, rows, first),
    ...listBars(rows, first),
    {
      what: 'an unchanged build',
      bar: `under ${UNCHANGED_SECONDS} s`,
      measured: `${second.seconds.toFixed(1)} s`,
      isMet: second.seconds < UNCHANGED_SECONDS,
    },
    ...nightBars('the build of the next night', rows, next),
  ];
}

function nightBars(what: string, rows: number, { seconds, peakMb }: MeasuredBuild): BenchBar[] {
  const share = Math.min(1, rows / FULL_NIGHT_ROWS);
  const most = Math.max(UNCHANGED_SECONDS, Math.round(FULL_NIGHT_SECONDS * share));
  const time = {
    what,
    bar: `under ${most} s (5 minutes for 25,000,000 rows)`,
    measured: `${seconds.toFixed(1)} s`,
    isMet: seconds < most,
  };
  if (peakMb === undefined) return [time];
  const memory = {
    what: `memory of ${what}`,
    bar: `at most ${grouped(FULL_NIGHT_MB)} MB`,
    measured: `${grouped(Math.round(peakMb))} MB`,
    isMet: peakMb <= FULL_NIGHT_MB,
  };
  return [time, memory];
}

/** The bar of lists: the sum of the seconds of their jobs. None when no list was read. */
function listBars(rows: number, { jobs }: MeasuredBuild): BenchBar[] {
  const names = new Set(['compile:isp', ...LISTS.map(({ id }) => `ingest:${id}`)]);
  const ofLists = jobs.filter(({ job }) => names.has(job));
  if (ofLists.length === 0) return [];
  const seconds = ofLists.reduce((sum, job) => sum + job.seconds, 0);
  const most = Math.max(LISTS_SECONDS / 6, Math.round(LISTS_SECONDS * Math.min(1, rows / FULL_NIGHT_ROWS)));
  return [
    {
      what: 'lists read and merged, all jobs together',
      bar: `under ${most} s (${LISTS_SECONDS} s for 1,000,000 rows)`,
      measured: `${seconds.toFixed(1)} s`,
      isMet: seconds < most,
    },
  ];
}

function grouped(value: number): string {
  return value.toLocaleString('en-US');
}

function rowsOf(args: readonly string[]): number {
  if (args.includes('--quick')) return QUICK_ROWS;
  const scale = process.env['SCALE'] ?? '';
  if (scale === '') return DEFAULT_ROWS;
  const rows = Number(scale);
  if (Number.isSafeInteger(rows) && rows >= 1000) return rows;
  throw new RangeError(`invalid SCALE "${scale}": expected a number of rows from 1000`);
}

const [part, rows, dir] = process.argv.slice(2);
const step = STEPS.find((name) => name === part);
if (step !== undefined && dir !== undefined) printJson(await generate(step, Number(rows), dir));
else printJson(await bench(rowsOf(process.argv.slice(2))));
