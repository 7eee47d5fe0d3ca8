import autocannon, { type Request, type Result } from 'autocannon';
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
import type { ServedTask } from './served.bench.js';

/** Compares the server with bare Koa that sends the same bytes. Each runs in its own process, in turns. */
const isQuick = process.argv.includes('--quick');
const ROUNDS = isQuick ? 2 : 5;
const SECONDS = isQuick ? 1 : 2;
const BALLAST = isQuick ? 20_000 : 200_000;
/** The required share of the rate of bare Koa. */
const LEAST_SHARE = 0.6;

const VARIANTS = ['bare Koa', 'metered', 'not metered'] as const;
type Variant = (typeof VARIANTS)[number];
type Servers = Readonly<Record<Variant, MeasuredProcess>>;

/** The result of one run of one server. */
interface Run {
  readonly perSecond: number;
  readonly cpuMicrosEach: number;
  readonly p50Ms: number;
  readonly p99Ms: number;
  readonly mbPerSecond: number;
}

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
    if (!scenario.route.startsWith('/api/ip/:')) continue;
    const share = median(ratios(runs, 'metered', ({ perSecond }) => perSecond));
    bars.push({
      what: `${scenario.name}, metered`,
      bar: `at least ${100 * LEAST_SHARE} % of bare Koa's requests a second`,
      measured: `${Math.round(100 * share)} %`,
      isMet: share >= LEAST_SHARE,
    });
  }
  for (const [variant, server] of Object.entries(ours)) {
    rows.push(await memoryOf(variant, server));
    server.stop();
  }
  return { bench: 'server', notes: NOTES, rows, bars };
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
  for (const variant of VARIANTS) await runOnce(servers[variant], scenario);
  for (let round = 0; round < ROUNDS; round++) {
    for (const variant of VARIANTS) runs[variant].push(await runOnce(servers[variant], scenario));
  }
  return runs;
}

async function runOnce(server: MeasuredProcess, { name, requests, connections }: Scenario): Promise<Run> {
  const before = await server.ask();
  let client = 0;
  const result = await autocannon({
    url: server.url,
    connections,
    duration: SECONDS,
    setupClient: (connection) => {
      connection.setRequests(shareOf(requests, client++, connections));
    },
  });
  const { cpuMicros } = await server.ask();
  const { total } = result.requests;
  check(result, `${name} at ${server.url}`);
  return {
    perSecond: total / result.duration,
    cpuMicrosEach: (cpuMicros - before.cpuMicros) / total,
    p50Ms: result.latency.p50,
    p99Ms: result.latency.p99,
    mbPerSecond: result.throughput.total / result.duration / 1e6,
  };
}

/** Returns the requests of a connection: its own part, or all of them if there are few. */
function shareOf(requests: readonly Request[], client: number, connections: number): Request[] {
  return requests.length < connections
    ? [...requests]
    : requests.filter((_, i) => i % connections === client % connections);
}

/** Throws if any request failed: a server that refuses requests is fast. */
function check({ non2xx, errors, timeouts }: Result, what: string): void {
  if (non2xx + errors + timeouts > 0)
    throw new Error(`${what}: ${non2xx} refused, ${errors} errors, ${timeouts} timeouts`);
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

function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[values.length >> 1]!;
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
