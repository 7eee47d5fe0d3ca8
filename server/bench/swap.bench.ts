import autocannon from 'autocannon';
import { statSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { BenchReport, BenchRow } from '../../pipeline/bench/bench-report.js';
import type { AccountsRedis } from '../../pipeline/jobs/accounts-redis.js';
import { releaseDir } from '../../pipeline/release/release-store.js';
import { startMeasured, type MeasuredProcess, type ProcessFigures } from '../testing/measured-process.js';
import { publishSmallRelease } from '../testing/small-release.js';
import { swapBackAndForth } from '../testing/swap-back-and-forth.js';
import { benchConfig, enterpriseKey } from './bench-server.bench.js';
import { printReport } from './print-report.bench.js';
import { someAddresses } from './scenarios.bench.js';
import type { ServedTask } from './served.bench.js';

/** Measures repeated changes between releases of a realistic size, under load. */
const isQuick = process.argv.includes('--quick');
const SWAPS = isQuick ? 10 : 50;
/** After this number of changes the memory is stable. */
const WARM_SWAPS = SWAPS / 5;
const BALLAST = isQuick ? 30_000 : 300_000;
/** Pause between changes, for about one a second. A server that follows nightly releases has one a day. */
const PAUSE_MS = 750;
/** Requests that are due after the first 40 ms of a delay are not sampled; `longestDelayMs` shows such delays. */
const CONNECTIONS = 20;
const CALM_SECONDS = isQuick ? 3 : 15;
/** Low enough to leave CPU time for loading: p99 of an overloaded server is meaningless. */
const REQUESTS_PER_SECOND = 500;

/** Results of calls to a server. */
interface Seen {
  readonly requests: number;
  readonly failed: number;
  readonly mixed: number;
  readonly p50Ms: number;
  readonly p99Ms: number;
  readonly longestDelayMs: number;
}

async function report(outputDir: string, { address }: AccountsRedis): Promise<BenchReport> {
  const ids: string[] = [];
  for (const marker of MARKERS) {
    ids.push(await publishSmallRelease(outputDir, { marker, ballast: BALLAST }));
  }
  const key = await enterpriseKey(address);
  const config = { ...benchConfig(outputDir, address), releasePollMs: 200 };
  const task: ServedTask = { config, isMetered: true };
  const server = await startMeasured(fileURLToPath(new URL('./served.bench.js', import.meta.url)), task);
  const swap = async (times: number): Promise<void> => {
    for (let n = 0; n < times; n++) {
      await swapBackAndForth({ url: server.url, outputDir }, [ids[n % ids.length]!], 1);
      await sleep(PAUSE_MS);
    }
  };
  const load = { server, key };
  await underLoad(load, () => sleep(1000));
  const calm = await underLoad(load, () => sleep(CALM_SECONDS * 1000));
  const early = await underLoad(load, () => swap(WARM_SWAPS));
  const before = await server.ask('collect');
  const late = await underLoad(load, () => swap(SWAPS - WARM_SWAPS));
  const after = await server.ask('collect');
  server.stop();
  const releaseMb = statSync(join(releaseDir(outputDir, ids[0]!), 'geo.mmdb')).size / 1e6;
  return {
    bench: 'server/swap',
    notes: [
      `${SWAPS} swaps of releases of ${releaseMb.toFixed(0)} MB, about one a second, under ${REQUESTS_PER_SECOND} requests a second`,
      'longestDelayMs: the longest delay of the event loop',
    ],
    rows: [
      seenRow('without swaps', calm),
      seenRow(`swaps 1 to ${WARM_SWAPS}`, early),
      seenRow(`swaps to ${SWAPS}`, late),
      memoryRow(`after ${WARM_SWAPS} swaps`, before),
      memoryRow(`after ${SWAPS} swaps`, after),
    ],
    bars: barsOf({ calm, early, late, grownMb: heldMb(after) - heldMb(before), releaseMb }),
  };
}

const MARKERS = ['release1', 'release2'];

function barsOf(found: {
  readonly calm: Seen;
  readonly early: Seen;
  readonly late: Seen;
  readonly grownMb: number;
  readonly releaseMb: number;
}): BenchReport['bars'] {
  const { calm, early, late, grownMb, releaseMb } = found;
  const failed = early.failed + late.failed;
  const mixed = early.mixed + late.mixed;
  const ratio = late.p99Ms / calm.p99Ms;
  return [
    { what: 'failed requests', bar: 'none', measured: String(failed), isMet: failed === 0 },
    { what: 'answers of two releases', bar: 'none', measured: String(mixed), isMet: mixed === 0 },
    {
      what: 'p99 with swaps',
      bar: 'at most 2 x without',
      measured: `${ratio.toFixed(2)} x`,
      isMet: ratio <= 2,
    },
    {
      what: 'heap and buffers after all swaps',
      bar: 'at most half a release more than before',
      measured: `${grownMb.toFixed(1)} MB more`,
      isMet: grownMb < releaseMb / 2,
    },
  ];
}

/** Looks up addresses while `work` runs. */
async function underLoad(
  { server, key }: { readonly server: MeasuredProcess; readonly key: string },
  work: () => Promise<unknown>,
): Promise<Seen> {
  const headers = { authorization: `Bearer ${key}` };
  const addresses = ['8.8.8.8', '202.96.209.133', ...someAddresses(1000, BALLAST)];
  let mixed = 0;
  await server.ask();
  const load = autocannon({
    url: server.url,
    connections: CONNECTIONS,
    overallRate: REQUESTS_PER_SECOND,
    // The correction would add a request for each millisecond of a delay, a thousand times the rate.
    ignoreCoordinatedOmission: true,
    duration: 3600,
    setupClient: (client) => {
      client.setRequests(addresses.map((ip) => ({ path: `/api/ip/${ip}?lang=en`, headers })));
      client.on('body', (body: Buffer) => {
        if (new Set(body.toString().match(/release\d/g)).size > 1) mixed++;
      });
    },
  });
  await work();
  (load as unknown as { stop(): void }).stop();
  const { non2xx, errors, timeouts, requests, latency } = await load;
  const { longestDelayMs } = await server.ask();
  const failed = non2xx + errors + timeouts;
  if (failed > 0) process.stderr.write(`${non2xx} refused, ${errors} errors, ${timeouts} timeouts\n`);
  return {
    requests: requests.total,
    failed,
    mixed,
    longestDelayMs,
    p50Ms: latency.p50,
    p99Ms: latency.p99,
  };
}

function seenRow(subject: string, seen: Seen): BenchRow {
  return { subject, figures: { ...seen } };
}

function memoryRow(subject: string, { rssMb, heapMb, externalMb }: ProcessFigures): BenchRow {
  return { subject, figures: { rssMb, heapMb, externalMb } };
}

function heldMb({ heapMb, externalMb }: ProcessFigures): number {
  return heapMb + externalMb;
}

function sleep(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}

await printReport(report);
