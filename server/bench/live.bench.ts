import autocannon from 'autocannon';
import { mkdtempSync, rmSync } from 'node:fs';
import { request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { printJson, type BenchReport, type BenchRow } from '../../pipeline/bench/bench-report.js';
import { openAccountsRedis, type AccountsRedis } from '../../pipeline/jobs/accounts-redis.js';
import { until } from '../nodes/testing/until.js';
import { startMeasured, type MeasuredProcess, type ProcessFigures } from '../testing/measured-process.js';
import { publishSmallRelease } from '../testing/small-release.js';
import { benchConfig, enterpriseKey } from './bench-server.bench.js';
import type { ServedTask } from './served.bench.js';
import { KNOWN_HOST, startSilentWorld, type SilentWorld } from './silent-world.bench.js';

/** Endpoints that ask the world, when the world says nothing; and lookups while hundreds of such calls wait. */
const isQuick = process.argv.includes('--quick');
const CALLS = isQuick ? 100 : 500;
const LOOKUP_SECONDS = isQuick ? 1 : 2;
/** How much longer than its budget a call may take. */
const MOST_BEYOND_MS = 200;
/** Calls that have begun, before lookups are measured beside them. */
const BEGINNING_MS = 400;
/** Idle connections to upstreams are kept for 15 s. */
const QUIET_MS = 30_000;

/** A call that comes to nothing, and how long that may take. */
interface Endpoint {
  readonly name: string;
  readonly budgetMs: number;
  /** What it comes to. */
  readonly status: number;
  /** Another one each time, so that nobody waits for somebody else's answer. */
  readonly path: () => string;
  readonly body?: () => unknown;
}

/** Calls that wait for nobody. */
const AT_ONCE: Endpoint = { name: 'ip', budgetMs: 0, status: 200, path: () => '/api/ip/8.8.8.8' };

function endpointsOf({ hostName, address, droppingPort }: SilentWorld, node: string): readonly Endpoint[] {
  let asn = 1000;
  let target = 0;
  const here = (): string => `127.1.${(target >> 8) & 255}.${target++ & 255}:${droppingPort}`;
  const addresses = (): string => Array.from({ length: 6 }, address).join();
  return [
    { name: 'ip of a name', budgetMs: 5000, status: 502, path: () => `/api/ip/${hostName()}` },
    { name: 'sources of a name', budgetMs: 5000, status: 502, path: () => `/api/ip/${hostName()}/sources` },
    {
      ...{ name: 'batch of 8 names', budgetMs: 15_000, status: 200, path: () => '/api/ip/batch' },
      body: () => ({ ips: Array.from({ length: 8 }, hostName) }),
    },
    { name: 'dns', budgetMs: 5000, status: 502, path: () => `/api/dns/${hostName()}` },
    { name: 'dns, one type', budgetMs: 5000, status: 502, path: () => `/api/dns/${hostName()}/A` },
    { name: 'rdns', budgetMs: 3000, status: 200, path: () => `/api/rdns?ips=${addresses()}` },
    { name: 'whois, domain', budgetMs: 12_000, status: 502, path: () => `/api/whois/${hostName()}` },
    { name: 'whois, address', budgetMs: 12_000, status: 502, path: () => `/api/whois/${address()}` },
    { name: 'whois, AS', budgetMs: 12_000, status: 502, path: () => `/api/whois/AS${asn++}` },
    {
      ...{ name: 'global dns', budgetMs: 6000, status: 200 },
      path: () => `/dns_global/api/query?domain=${hostName()}&provider=0`,
    },
    { name: 'tcping of a name', budgetMs: 3000, status: 502, path: () => `/api/tcping/${hostName()}` },
    {
      ...{ name: 'tcping, 4 x 1 s', budgetMs: 4400, status: 200 },
      path: () => `/api/tcping/${here()}?count=4&timeout=1000`,
    },
    {
      ...{ name: 'tcping from a node', budgetMs: 14_000, status: 504 },
      path: () => `/api/tcping/${here()}?node=${node}`,
    },
  ];
}

/** What callers saw of an endpoint. */
interface Waited {
  readonly longestMs: number;
  /** Calls that came to something else. */
  readonly otherwise: number;
}

interface Lookups {
  readonly perSecond: number;
  readonly cpuMicrosEach: number;
  readonly p50Ms: number;
  readonly p99Ms: number;
}

interface Bench {
  readonly server: MeasuredProcess;
  readonly headers: Readonly<Record<string, string>>;
}

async function report(outputDir: string, { address: redis }: AccountsRedis): Promise<BenchReport> {
  await publishSmallRelease(outputDir);
  const world = await startSilentWorld(outputDir);
  const config = { ...benchConfig(outputDir, redis), ...world.config };
  const task: ServedTask = { config, isMetered: true };
  const server = await startMeasured(fileURLToPath(new URL('./served.bench.js', import.meta.url)), task);
  const bench = { server, headers: { Authorization: `Bearer ${await enterpriseKey(redis)}` } };
  try {
    const node = await world.connectNode(server.url, redis);
    await until('the node is online', async () => (await nodesOf(server.url)).includes(node));
    return await measure(bench, endpointsOf(world, node));
  } finally {
    server.stop();
    await world.close();
  }
}

async function measure(bench: Bench, endpoints: readonly Endpoint[]): Promise<BenchReport> {
  await lookUp(bench);
  const before = await bench.server.ask('collect');
  const alone = await Promise.all(endpoints.map((endpoint) => wait(bench, endpoint, 1)));
  const rows: BenchRow[] = endpoints.map((endpoint, i) => waitedRow(endpoint, 1, { waited: alone[i]! }));
  const found: Found = {
    aloneMs: [],
    beyondMs: [],
    beyondAtOnceMs: [],
    otherwise: 0,
    rateShares: [],
    cpuShares: [],
    knownMs: [],
  };
  for (const [i, endpoint] of endpoints.entries()) {
    const calm = await lookUp(bench);
    const atOnce = await wait(bench, AT_ONCE, CALLS);
    await bench.server.ask();
    const calls = wait(bench, endpoint, CALLS);
    await sleep(BEGINNING_MS);
    const knownMs = (await call(bench, { path: `/api/ip/${KNOWN_HOST}` })).ms;
    const crowded = await lookUp(bench);
    const waited = await calls;
    const { longestDelayMs } = await bench.server.ask();
    found.beyondAtOnceMs.push(waited.longestMs - endpoint.budgetMs - atOnce.longestMs);
    found.aloneMs.push(alone[i]!.longestMs - endpoint.budgetMs);
    found.beyondMs.push(waited.longestMs - endpoint.budgetMs);
    found.otherwise += alone[i]!.otherwise + waited.otherwise;
    found.rateShares.push(crowded.perSecond / calm.perSecond);
    found.cpuShares.push(crowded.cpuMicrosEach / calm.cpuMicrosEach);
    found.knownMs.push(knownMs);
    rows.push(
      waitedRow(endpoint, CALLS, { waited, more: { atOnceMs: atOnce.longestMs, longestDelayMs } }),
      { subject: '  lookups before', figures: { ...calm } },
      { subject: '  lookups beside them', figures: { ...crowded, knownNameMs: knownMs } },
    );
  }
  const after = await quietened(bench.server, before);
  rows.push(heldRow('held before', before), heldRow('held after', after));
  return { bench: 'server/live', notes: NOTES, rows, bars: barsOf(found, before, after) };
}

const NOTES = [
  `each endpoint with one call, then with ${CALLS} at once, against upstreams that never answer`,
  'beyondMs: how much longer than its budget the longest call took; otherwise: calls that came to something else',
  'atOnceMs: the longest of as many calls that wait for nobody, just before: what the machine takes for so many',
  'longestDelayMs: the longest time that the event loop of the server was held up, lookups included',
  'lookups: /api/ip/8.8.8.8 as often as it goes, before those calls and while they wait',
  'knownNameMs: a lookup of a name whose name server answers, while they wait',
];

interface Found {
  readonly aloneMs: number[];
  readonly beyondMs: number[];
  readonly beyondAtOnceMs: number[];
  otherwise: number;
  readonly rateShares: number[];
  readonly cpuShares: number[];
  readonly knownMs: number[];
}

function barsOf(found: Found, before: ProcessFigures, after: ProcessFigures): BenchReport['bars'] {
  const aloneMs = Math.max(...found.aloneMs);
  const beyondMs = Math.max(...found.beyondMs);
  const beyondAtOnceMs = Math.max(...found.beyondAtOnceMs);
  const share = median(found.rateShares);
  const knownMs = Math.max(...found.knownMs);
  const { descriptors = 0 } = before;
  const left = (after.descriptors ?? 0) - descriptors;
  return [
    {
      ...{ what: 'longest call alone', bar: `at most ${MOST_BEYOND_MS} ms beyond its budget` },
      ...{ measured: `${aloneMs.toFixed(0)} ms beyond`, isMet: aloneMs <= MOST_BEYOND_MS },
    },
    {
      ...{ what: `longest of ${CALLS} at once`, bar: `at most ${MOST_BEYOND_MS} ms beyond its budget` },
      ...{ measured: `${beyondMs.toFixed(0)} ms beyond`, isMet: beyondMs <= MOST_BEYOND_MS },
    },
    {
      what: `the same, without the time of as many calls that wait for nobody`,
      bar: `at most ${MOST_BEYOND_MS} ms beyond its budget`,
      measured: `${beyondAtOnceMs.toFixed(0)} ms beyond`,
      isMet: beyondAtOnceMs <= MOST_BEYOND_MS,
    },
    {
      ...{ what: 'calls that came to something else', bar: 'none' },
      ...{ measured: String(found.otherwise), isMet: found.otherwise === 0 },
    },
    {
      ...{ what: `lookups a second beside ${CALLS} waiting calls`, bar: 'at least 80 % of those without' },
      ...{ measured: `${(100 * share).toFixed(0)} % (median of the endpoints)`, isMet: share >= 0.8 },
    },
    {
      ...{ what: 'a name that is answered for, beside them', bar: 'within 1 s' },
      ...{ measured: `${knownMs.toFixed(0)} ms`, isMet: knownMs <= 1000 },
    },
    {
      ...{ what: 'descriptors after all of it', bar: 'as many as before' },
      ...{ measured: `${left} more`, isMet: left <= 0 },
    },
  ];
}

/** So many calls at once. */
async function wait(bench: Bench, { status, path, body }: Endpoint, count: number): Promise<Waited> {
  const calls = Array.from({ length: count }, () => call(bench, { path: path(), body: body?.() }));
  const answers = await Promise.all(calls);
  const others = answers.filter((answer) => answer.status !== status);
  for (const other of others.slice(0, 3)) process.stderr.write(`${path()}: ${other.status} ${other.text}\n`);
  return { longestMs: Math.max(...answers.map(({ ms }) => ms)), otherwise: others.length };
}

interface Answer {
  readonly status: number;
  readonly text: string;
  /** From the request to the end of the answer. */
  readonly ms: number;
}

/** Over a connection of its own. */
function call(
  { server, headers }: Bench,
  { path, body }: { readonly path: string; readonly body?: unknown },
): Promise<Answer> {
  const startedMs = performance.now();
  const method = body === undefined ? 'GET' : 'POST';
  const sent = { ...headers, ...(body === undefined ? {} : { 'Content-Type': 'application/json' }) };
  return new Promise((resolve, reject) => {
    const asked = request(`${server.url}${path}`, { method, headers: sent, agent: false }, (response) => {
      let text = '';
      response.setEncoding('utf8');
      response.on('data', (piece: string) => (text += piece));
      response.on('end', () => {
        resolve({ status: response.statusCode!, text, ms: performance.now() - startedMs });
      });
    });
    asked.on('error', reject);
    asked.end(body === undefined ? undefined : JSON.stringify(body));
  });
}

async function nodesOf(url: string): Promise<string[]> {
  const answer = (await (await fetch(`${url}/api/nodes`)).json()) as { readonly data: { code: string }[] };
  return answer.data.map(({ code }) => code);
}

/** As many as go. */
async function lookUp({ server, headers }: Bench): Promise<Lookups> {
  const before = await server.ask();
  const { requests, latency, non2xx, errors, timeouts } = await autocannon({
    ...{ url: `${server.url}/api/ip/8.8.8.8`, headers, connections: 20, duration: LOOKUP_SECONDS },
  });
  const { cpuMicros } = await server.ask();
  const refused = non2xx + errors + timeouts;
  if (refused > 0) throw new Error(`${refused} lookups were not answered`);
  return {
    ...{ perSecond: requests.average, p50Ms: latency.p50, p99Ms: latency.p99 },
    cpuMicrosEach: (cpuMicros - before.cpuMicros) / requests.total,
  };
}

/** What it holds when all that was begun has ended; what it then holds where that never comes. */
async function quietened(server: MeasuredProcess, before: ProcessFigures): Promise<ProcessFigures> {
  const giveUpMs = performance.now() + QUIET_MS;
  for (;;) {
    const now = await server.ask('collect');
    const isQuiet = (now.descriptors ?? 0) <= (before.descriptors ?? 0) && now.timers <= before.timers;
    if (isQuiet || performance.now() > giveUpMs) return now;
    await sleep(500);
  }
}

function waitedRow(
  { name, budgetMs }: Endpoint,
  count: number,
  { waited, more = {} }: { readonly waited: Waited; readonly more?: Readonly<Record<string, number>> },
): BenchRow {
  const { longestMs, otherwise } = waited;
  const figures = { budgetMs, beyondMs: longestMs - budgetMs, otherwise, ...more };
  return { subject: `${name} x ${count}`, figures };
}

function heldRow(subject: string, { rssMb, heapMb, descriptors = 0, timers }: ProcessFigures): BenchRow {
  return { subject, figures: { rssMb, heapMb, descriptors, timers } };
}

function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[values.length >> 1]!;
}

const outputDir = mkdtempSync(join(tmpdir(), 'ipatlas-bench-'));
const redis = await openAccountsRedis({ redisUrl: undefined, outputDir, log: () => undefined });
try {
  printJson(await report(outputDir, redis));
} finally {
  await redis.stop();
  rmSync(outputDir, { recursive: true, force: true });
}
