import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { printJson, type BenchReport, type BenchRow } from '../../pipeline/bench/bench-report.js';
import { openAccountsRedis } from '../../pipeline/jobs/accounts-redis.js';
import { currentRelease } from '../../pipeline/release/release-store.js';
import { startMeasured, type MeasuredProcess } from '../testing/measured-process.js';
import { publishSmallRelease } from '../testing/small-release.js';
import { benchConfig, enterpriseKey } from './bench-server.bench.js';
import type { BareRoute } from './bare.bench.js';
import { scenarios, type Scenario } from './scenarios.bench.js';
import { median, runOnce, type Run } from './load-run.bench.js';
import type { ServedTask } from './served.bench.js';

/** Compares the server with bare Koa that sends the same bytes. Each runs in its own process, in turns. */
const isQuick = process.argv.includes('--quick');
const ROUNDS = isQuick ? 2 : 5;
const SECONDS = isQuick ? 1 : 2;
const BALLAST = isQuick ? 20_000 : 200_000;
/** The required share of the rate of bare Koa, and the limit of p99. */
const LEAST_SHARE = 0.8;
const MOST_P99 = 1.5;
/** Addresses of batches that a core answers a second. */
const LEAST_ADDRESSES = 200_000;

const VARIANTS = ['bare Koa', 'metered', 'not metered'] as const;
type Variant = (typeof VARIANTS)[number];
type Servers = Readonly<Record<Variant, MeasuredProcess>>;

async function report(): Promise<BenchReport> {
  const asked = scenarios(await enterpriseKey(redis.address), BALLAST);
  const ours = {
    metered: await startMeasured(moduleOf('served'), taskOf(true)),
    'not metered': await startMeasured(moduleOf('served'), taskOf(false)),
  };
  const rows: BenchRow[] = [];
  const bars: BenchReport['bars'][number][] = [];
  for (const scenario of asked) {
    const bare = await startMeasured(moduleOf('bare'), await sameBytes(ours.metered.url, scenario));
    const runs = await measure({ 'bare Koa': bare, ...ours }, scenario);
    bare.stop();
    for (const variant of VARIANTS) rows.push(rowOf(scenario, variant, runs));
    bars.push(...barsOf(scenario, runs));
  }
  for (const [variant, server] of Object.entries(ours)) {
    rows.push(await memoryOf(variant, server));
    server.stop();
  }
  return { bench: 'server', notes: NOTES, rows, bars };
}

function barsOf({ name, route }: Scenario, runs: Readonly<Record<Variant, Run[]>>): BenchReport['bars'] {
  if (route === '/api/datasets/:dataset') return [];
  if (route === '/api/ip/batch') {
    const perCore = 500 / (median(runs.metered.map(({ cpuMicrosEach }) => cpuMicrosEach)) / 1e6);
    const bar = `at least ${LEAST_ADDRESSES.toLocaleString('en')} addresses a second and core`;
    const measured = Math.round(perCore).toLocaleString('en');
    return [{ what: `${name}, metered`, bar, measured, isMet: perCore >= LEAST_ADDRESSES }];
  }
  const share = median(ratios(runs, 'metered', ({ perSecond }) => perSecond));
  const p99 = median(ratios(runs, 'metered', ({ p99Ms }) => p99Ms));
  return [
    {
      what: `${name}, metered`,
      bar: `at least ${100 * LEAST_SHARE} % of bare Koa's requests a second`,
      measured: `${Math.round(100 * share)} %`,
      isMet: share >= LEAST_SHARE,
    },
    {
      what: `${name}, metered: p99`,
      bar: `at most ${MOST_P99} x bare Koa's`,
      measured: `${p99.toFixed(2)} x`,
      isMet: p99 <= MOST_P99,
    },
  ];
}

const NOTES = [
  'requests of autocannon, which shares the cores with the servers; rates are medians of runs that took turns',
  'rateShare and cpuShare: requests a second, and requests per CPU second of the process, as shares of bare Koa',
  'bare Koa: @koa/router, the same headers by ctx.set, the body a ready string (or a file stream)',
];

function taskOf(isMetered: boolean): ServedTask {
  return { config: benchConfig(outputDir, redis.address), isMetered };
}

function moduleOf(name: string): string {
  return fileURLToPath(new URL(`./${name}.bench.js`, import.meta.url));
}

/** Returns a bare route that sends the server's answer to the first request of a scenario. */
async function sameBytes(url: string, { method, route, requests }: Scenario): Promise<BareRoute> {
  const { path, headers, body } = requests[0]!;
  const init = { method, headers: { ...(headers as Record<string, string>), 'accept-encoding': 'identity' } };
  const answer = await fetch(`${url}${path}`, body === undefined ? init : { ...init, body: String(body) });
  if (answer.status !== 200) throw new Error(`${path}: ${answer.status} ${await answer.text()}`);
  const own = ['connection', 'keep-alive', 'date', 'transfer-encoding'];
  const sent = [...answer.headers].filter(([name]) => !own.includes(name));
  const isFile = route.startsWith('/api/datasets/');
  const { dir } = (await currentRelease(outputDir))!;
  const text = isFile ? { file: join(dir, 'download/geo.mmdb') } : await answer.text();
  if (isFile) await answer.arrayBuffer();
  return { method, path: route, headers: Object.fromEntries(sent), body: text };
}

async function measure(servers: Servers, scenario: Scenario): Promise<Readonly<Record<Variant, Run[]>>> {
  const runs: Record<Variant, Run[]> = { 'bare Koa': [], metered: [], 'not metered': [] };
  for (const variant of VARIANTS) await runOnce(servers[variant], scenario, SECONDS);
  for (let round = 0; round < ROUNDS; round++) {
    for (const variant of VARIANTS) runs[variant].push(await runOnce(servers[variant], scenario, SECONDS));
  }
  return runs;
}

function rowOf(
  { name }: Scenario,
  variant: Variant,
  runs: Readonly<Record<Variant, readonly Run[]>>,
): BenchRow {
  const of = (figure: keyof Run): number => median(runs[variant].map((run) => run[figure]));
  return {
    subject: `${name}: ${variant}`,
    figures: {
      perSecond: of('perSecond'),
      rateShare: median(ratios(runs, variant, ({ perSecond }) => perSecond)),
      cpuMicrosEach: of('cpuMicrosEach'),
      cpuShare: median(ratios(runs, variant, ({ cpuMicrosEach }) => 1 / cpuMicrosEach)),
      p50Ms: of('p50Ms'),
      p99Ms: of('p99Ms'),
      mbPerSecond: of('mbPerSecond'),
    },
  };
}

/** Returns a figure as a share of bare Koa's, for each round. */
function ratios(
  runs: Readonly<Record<Variant, readonly Run[]>>,
  variant: Variant,
  figure: (run: Run) => number,
): number[] {
  return runs[variant].map((run, round) => figure(run) / figure(runs['bare Koa'][round]!));
}

async function memoryOf(variant: string, server: MeasuredProcess): Promise<BenchRow> {
  const { rssMb, heapMb, externalMb } = await server.ask('collect');
  return { subject: `memory: ${variant}`, figures: { rssMb, heapMb, externalMb } };
}

const outputDir = mkdtempSync(join(tmpdir(), 'ipatlas-bench-'));
const redis = await openAccountsRedis({ redisUrl: undefined, outputDir, log: () => undefined });
try {
  await publishSmallRelease(outputDir, { ballast: BALLAST, downloadBallast: BALLAST });
  printJson(await report());
} finally {
  await redis.stop();
  rmSync(outputDir, { recursive: true, force: true });
}
