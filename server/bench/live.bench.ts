import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import type { BenchReport, BenchRow } from '../../pipeline/bench/bench-report.js';
import type { AccountsRedis } from '../../pipeline/jobs/accounts-redis.js';
import { until } from '../nodes/testing/until.js';
import { startMeasured, type MeasuredProcess, type ProcessFigures } from '../testing/measured-process.js';
import { publishSmallRelease } from '../testing/small-release.js';
import { benchConfig, enterpriseKey } from './bench-server.bench.js';
import { barsOf, Found, heldRow, waitedRow } from './live-bars.bench.js';
import { call, lookUp, wait, type Asked } from './live-calls.bench.js';
import { printReport } from './print-report.bench.js';
import type { ServedTask } from './served.bench.js';
import { AT_ONCE, endpointsOf, type Endpoint } from './silent-endpoints.bench.js';
import { KNOWN_HOST, startSilentWorld } from './silent-world.bench.js';

/** Measures endpoints whose upstreams never reply, and lookups while hundreds of such calls wait. */
const isQuick = process.argv.includes('--quick');
const CALLS = isQuick ? 100 : 500;
const LOOKUP_SECONDS = isQuick ? 1 : 2;
/** Delay between the start of the calls and the first lookup. */
const BEGINNING_MS = 400;
/** Idle connections to upstreams are kept for 15 s. */
const QUIET_MS = 30_000;

async function report(outputDir: string, { address: redis }: AccountsRedis): Promise<BenchReport> {
  await publishSmallRelease(outputDir);
  const world = await startSilentWorld(outputDir);
  const config = { ...benchConfig(outputDir, redis), ...world.config };
  const task: ServedTask = { config, isMetered: true };
  const server = await startMeasured(fileURLToPath(new URL('./served.bench.js', import.meta.url)), task);
  const bench: Asked = { server, headers: { Authorization: `Bearer ${await enterpriseKey(redis)}` } };
  try {
    const node = await world.connectNode(server.url, redis);
    await until('the node is online', async () => (await nodesOf(server.url)).includes(node));
    return await measure(bench, endpointsOf(world, node));
  } finally {
    server.stop();
    await world.close();
  }
}

async function measure(bench: Asked, endpoints: readonly Endpoint[]): Promise<BenchReport> {
  await lookUp(bench, LOOKUP_SECONDS);
  const before = await bench.server.ask('collect');
  const alone = await Promise.all(endpoints.map((endpoint) => wait(bench, endpoint, 1)));
  const rows: BenchRow[] = endpoints.map((endpoint, i) => waitedRow(endpoint, 1, { waited: alone[i]! }));
  const found = new Found();
  for (const [i, endpoint] of endpoints.entries()) {
    const calm = await lookUp(bench, LOOKUP_SECONDS);
    const atOnce = await wait(bench, AT_ONCE, CALLS);
    await bench.server.ask();
    const calls = wait(bench, endpoint, CALLS);
    await sleep(BEGINNING_MS);
    const knownMs = (await call(bench, { path: `/api/ip/${KNOWN_HOST}` })).ms;
    const crowded = await lookUp(bench, LOOKUP_SECONDS);
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
  return { bench: 'server/live', notes: NOTES, rows, bars: barsOf(found, CALLS, { before, after }) };
}

const NOTES = [
  `each endpoint with one call, then with ${CALLS} at once, against upstreams that never answer`,
  'beyondMs: how much longer than its budget the longest call took; otherwise: calls with an unexpected result',
  'atOnceMs: the longest of as many calls without upstreams, made just before',
  'longestDelayMs: the longest delay of the event loop of the server, including lookups',
  'lookups: /api/ip/8.8.8.8 at the maximum rate, before those calls and while they wait',
  'knownNameMs: a lookup of a name whose name server answers, while they wait',
];

async function nodesOf(url: string): Promise<string[]> {
  const answer = (await (await fetch(`${url}/api/nodes`)).json()) as { readonly data: { code: string }[] };
  return answer.data.map(({ code }) => code);
}

/** Waits up to QUIET_MS until all calls have released their resources. Returns the last figures. */
async function quietened(server: MeasuredProcess, before: ProcessFigures): Promise<ProcessFigures> {
  const giveUpMs = performance.now() + QUIET_MS;
  for (;;) {
    const now = await server.ask('collect');
    const isQuiet = (now.descriptors ?? 0) <= (before.descriptors ?? 0) && now.timers <= before.timers;
    if (isQuiet || performance.now() > giveUpMs) return now;
    await sleep(500);
  }
}

await printReport(report);
