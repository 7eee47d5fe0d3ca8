import autocannon from 'autocannon';
import { Redis } from 'ioredis';
import assert from 'node:assert';
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { cpus } from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import type { BenchReport, BenchRow } from '../../pipeline/bench/bench-report.js';
import type { AccountsRedis } from '../../pipeline/jobs/accounts-redis.js';
import { freePort } from '../../pipeline/testing/free-port.js';
import { YOUNG_GENERATION } from '../testing/measured-process.js';
import { publishSmallRelease } from '../testing/small-release.js';
import { printReport } from './print-report.bench.js';
import { someAddresses } from './scenarios.bench.js';

/**
 * Starts `ipatlas serve` with 1, 2, 4 and 8 processes, up to the number of cores but at least 2. Measures the time
 * to the first answer, and lookups a second of callers without a key that all have another address: no two operations
 * of a batch are equal, so this is the most that Redis has to do for a lookup.
 */
const isQuick = process.argv.includes('--quick');
const SECONDS = isQuick ? 2 : 6;
const BALLAST = isQuick ? 20_000 : 300_000;
const STARTS = isQuick ? 1 : 5;
const CONNECTIONS = 96;
/** Enough that no caller reaches its limit of 30 a minute. */
const CALLERS = 60_000;
const MOST_START_MS = 2000;
const MAIN = fileURLToPath(new URL('../../pipeline/main.js', import.meta.url));

async function report(outputDir: string, redis: AccountsRedis): Promise<BenchReport> {
  await publishSmallRelease(outputDir, { ballast: BALLAST });
  const rows: BenchRow[] = [];
  let startMs = 0;
  for (const workers of [1, 2, 4, 8].filter((count) => count <= Math.max(2, cpus().length))) {
    const measured = await measure(outputDir, redis, workers);
    if (workers === 1) startMs = measured.startMs;
    rows.push({ subject: `${workers} ${workers === 1 ? 'process' : 'processes'}`, figures: measured });
  }
  return {
    bench: 'server/processes',
    notes: [
      `startMs: from the start of the command to the first answer, median of ${STARTS}`,
      `lookups by ${CALLERS.toLocaleString('en')} callers without a key, over ${CONNECTIONS} connections, of one client process`,
      'redisMicrosEach: CPU time of Redis for a lookup; redisMost: lookups a second that would take a whole core of it',
      `${cpus().length} cores, which the client and Redis share with the servers`,
    ],
    rows,
    bars: [
      {
        what: 'first answer of 1 process',
        bar: `within ${MOST_START_MS} ms of the start`,
        measured: `${Math.round(startMs)} ms`,
        isMet: startMs <= MOST_START_MS,
      },
    ],
  };
}

async function measure(
  outputDir: string,
  redis: AccountsRedis,
  workers: number,
): Promise<Record<'startMs' | 'perSecond' | 'p50Ms' | 'p99Ms' | 'redisMicrosEach' | 'redisMost', number>> {
  const starts: number[] = [];
  for (let n = 1; n < STARTS; n++) {
    const server = await start(outputDir, workers);
    starts.push(server.startMs);
    await stop(server.child);
  }
  const server = await start(outputDir, workers);
  starts.push(server.startMs);
  await load(server.url, 1);
  const before = await redisSeconds(redis);
  const { requests, duration, latency, non2xx, errors } = await load(server.url, SECONDS);
  const redisMicrosEach = (1e6 * ((await redisSeconds(redis)) - before)) / requests.total;
  await stop(server.child);
  if (non2xx + errors > 0) throw new Error(`${non2xx} refused, ${errors} errors`);
  return {
    startMs: starts.sort((a, b) => a - b)[starts.length >> 1]!,
    perSecond: requests.total / duration,
    p50Ms: latency.p50,
    p99Ms: latency.p99,
    redisMicrosEach,
    redisMost: 1e6 / redisMicrosEach,
  };
}

/** Starts the server and waits for its first answer. */
async function start(
  outputDir: string,
  workers: number,
): Promise<{ readonly child: ChildProcess; readonly url: string; readonly startMs: number }> {
  const [port, metricsPort] = [await freePort(), await freePort()];
  const startedMs = performance.now();
  const child = spawn(process.execPath, [...process.execArgv, YOUNG_GENERATION, MAIN, 'serve'], {
    env: {
      ...process.env,
      ...{ OUTPUT: outputDir, PORT: String(port), METRICS_PORT: String(metricsPort) },
      ...{ HOST: '127.0.0.1', TRUSTED_PROXIES: '127.0.0.1', WORKERS: String(workers) },
    },
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  const url = `http://127.0.0.1:${port}`;
  while (!(await hasAnswer(url))) {
    if (child.exitCode !== null) throw new Error(`the server ended with ${child.exitCode}`);
    await sleep(5);
  }
  return { child, url, startMs: performance.now() - startedMs };
}

async function hasAnswer(url: string): Promise<boolean> {
  try {
    const answer = (await (await fetch(`${url}/api/ip/8.8.8.8`)).json()) as { readonly code: number };
    return answer.code === 0;
  } catch {
    return false;
  }
}

async function stop(child: ChildProcess): Promise<void> {
  child.kill('SIGTERM');
  await once(child, 'exit');
}

async function load(url: string, seconds: number): Promise<autocannon.Result> {
  const addresses = someAddresses(CALLERS, BALLAST);
  let client = 0;
  return await autocannon({
    url,
    connections: CONNECTIONS,
    duration: seconds,
    setupClient: (connection) => {
      const own = client++;
      const asked = addresses.filter((_, i) => i % CONNECTIONS === own);
      connection.setRequests(
        asked.map((ip, i) => ({
          path: `/api/ip/${ip}?lang=en`,
          headers: { 'x-forwarded-for': `100.${own}.${i >> 8}.${i & 255}` },
        })),
      );
    },
  });
}

/** Returns the CPU time that Redis has used so far. */
async function redisSeconds({ address }: AccountsRedis): Promise<number> {
  assert('socketPath' in address, 'the bench has a Redis of its own');
  const redis = new Redis(address.socketPath);
  const info = await redis.info('cpu');
  redis.disconnect();
  return ['sys', 'user'].reduce(
    (sum, kind) => sum + Number(new RegExp(`used_cpu_${kind}:([\\d.]+)`).exec(info)?.[1]),
    0,
  );
}

await printReport(report);
