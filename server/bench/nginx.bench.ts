import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import type { BenchReport, BenchRow } from '../../pipeline/bench/bench-report.js';
import type { AccountsRedis } from '../../pipeline/jobs/accounts-redis.js';
import { currentRelease } from '../../pipeline/release/release-store.js';
import { freePort } from '../../pipeline/testing/free-port.js';
import { startMeasured } from '../testing/measured-process.js';
import { publishSmallRelease } from '../testing/small-release.js';
import { cpuMsOf, familyOf } from './attack/process-figures.bench.js';
import { benchConfig, enterpriseKey } from './bench-server.bench.js';
import { median, runOnce, type LoadedServer, type Run } from './load-run.bench.js';
import { printReport } from './print-report.bench.js';
import { scenarios, type Scenario } from './scenarios.bench.js';
import type { ServedTask } from './served.bench.js';

/**
 * Compares the server with nginx and its geoip2 module (libmaxminddb), which answers country, city, AS and ISP as JSON:
 * no routes, no keys, no limits, and no log.
 */
const isQuick = process.argv.includes('--quick');
const ROUNDS = isQuick ? 2 : 5;
const SECONDS = isQuick ? 1 : 2;
const BALLAST = isQuick ? 20_000 : 200_000;
const MODULE = '/usr/lib/nginx/modules/ngx_http_geoip2_module.so';

async function report(outputDir: string, { address }: AccountsRedis): Promise<BenchReport> {
  const notes = ['one process each, in turns; autocannon shares the cores with them'];
  if (!existsSync(MODULE))
    return {
      bench: 'server/nginx',
      notes: ['libnginx-mod-http-geoip2 is not installed'],
      rows: [],
      bars: [],
    };
  await publishSmallRelease(outputDir, { ballast: BALLAST });
  const key = await enterpriseKey(address);
  const config = benchConfig(outputDir, address);
  const startOurs = (isMetered: boolean) =>
    startMeasured(fileURLToPath(new URL('./served.bench.js', import.meta.url)), {
      config,
      isMetered,
    } satisfies ServedTask);
  const ours = await startOurs(true);
  const free = await startOurs(false);
  const nginx = await startNginx(outputDir, (await currentRelease(outputDir))!.dir);
  try {
    const servers = { nginx, 'ipatlas, metered': ours, 'ipatlas, not metered': free };
    const rows: BenchRow[] = [];
    for (const scenario of scenarios(key, BALLAST).slice(0, 2))
      rows.push(...(await measure(servers, scenario)));
    return { bench: 'server/nginx', notes, rows, bars: [] };
  } finally {
    ours.stop();
    free.stop();
    nginx.stop();
  }
}

async function measure(
  servers: Readonly<Record<string, LoadedServer>>,
  scenario: Scenario,
): Promise<BenchRow[]> {
  const runs: Record<string, Run[]> = {};
  for (let round = -1; round < ROUNDS; round++) {
    for (const [name, server] of Object.entries(servers)) {
      const run = await runOnce(server, scenario, SECONDS);
      // The first round warms the caches.
      if (round >= 0) (runs[name] ??= []).push(run);
    }
  }
  const peer = runs['nginx']!;
  return Object.entries(runs).map(([name, own]) => ({
    subject: `${scenario.name}: ${name}`,
    figures: {
      perSecond: median(own.map(({ perSecond }) => perSecond)),
      rateShare: median(own.map(({ perSecond }, i) => perSecond / peer[i]!.perSecond)),
      cpuMicrosEach: median(own.map(({ cpuMicrosEach }) => cpuMicrosEach)),
      p99Ms: median(own.map(({ p99Ms }) => p99Ms)),
    },
  }));
}

async function startNginx(scratch: string, release: string): Promise<LoadedServer & { stop(): void }> {
  const port = await freePort();
  const config = join(scratch, 'nginx.conf');
  writeFileSync(config, configOf(scratch, release, port));
  const child = spawn('/usr/sbin/nginx', ['-c', config, '-p', scratch], {
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  await once(child, 'spawn');
  const url = `http://127.0.0.1:${port}`;
  for (let tries = 0; tries < 100 && !(await answers(url)); tries++) await sleep(50);
  return {
    url,
    ask: () =>
      Promise.resolve({ cpuMicros: 1000 * familyOf(child.pid!).reduce((sum, pid) => sum + cpuMsOf(pid), 0) }),
    stop: () => void child.kill('SIGQUIT'),
  };
}

async function answers(url: string): Promise<boolean> {
  return fetch(`${url}/api/ip/8.8.8.8`).then(
    ({ status }) => status === 200,
    () => false,
  );
}

function configOf(scratch: string, release: string, port: number): string {
  return `load_module ${MODULE};
daemon off;
worker_processes 1;
pid ${scratch}/nginx.pid;
error_log stderr crit;
events { worker_connections 1024; }
http {
  access_log off;
  client_body_temp_path ${scratch}/body; proxy_temp_path ${scratch}/proxy; fastcgi_temp_path ${scratch}/fastcgi;
  uwsgi_temp_path ${scratch}/uwsgi; scgi_temp_path ${scratch}/scgi;
  keepalive_requests 1000000;
  map $uri $target { "~^/api/ip/(?<ip>[0-9a-f.:]+)$" $ip; }
  geoip2 ${release}/geo.mmdb {
    $country source=$target country iso_code;
    $city source=$target city names en;
  }
  geoip2 ${release}/asn.mmdb { $asn source=$target autonomous_system_number; }
  geoip2 ${release}/isp.mmdb { $isp source=$target isp; }
  server {
    listen 127.0.0.1:${port};
    default_type application/json;
    location /api/ip/ { return 200 '{"ip":"$target","country_code":"$country","city":"$city","asn":"$asn","isp":"$isp"}'; }
  }
}
`;
}

await printReport(report);
