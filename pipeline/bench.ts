import { fileURLToPath } from 'node:url';
import { formatReport, runPart, type BenchReport } from './bench/bench-report.js';

/** Every benchmark by the name it is asked for: `node dist/pipeline/bench.js [name …] [--quick] [--json]`. */
const BENCHES: Readonly<Record<string, string>> = {
  table: 'table/table.bench.js',
  feeds: 'feeds/feeds.bench.js',
  merge: 'merge/merge.bench.js',
  'mmdb/write': 'mmdb/write.bench.js',
  'mmdb/read': 'mmdb/read.bench.js',
  'bgp/rib': 'bgp/rib.bench.js',
  'bgp/relationships': 'bgp/relationships.bench.js',
  'proxy/ip2proxy': 'proxy/ip2proxy.bench.js',
  'routing/routes': 'routing/routes.bench.js',
  service: 'service/service.bench.js',
  server: '../server/bench/server.bench.js',
  'server/live': '../server/bench/live.bench.js',
  'server/swap': '../server/bench/swap.bench.js',
  scale: 'commands/scale.bench.js',
};

/** Takes minutes: run when asked for, by name or by SCALE=rows in the environment. */
const ON_REQUEST = 'scale';

/** Runs each benchmark in a process of its own and prints its report as soon as it is there. */
function main(args: readonly string[]): void {
  const names = args.filter((arg) => !arg.startsWith('--'));
  const unknown = args.find((arg) => !(arg in BENCHES) && arg !== '--quick' && arg !== '--json');
  if (unknown !== undefined) {
    process.stderr.write(`no benchmark ${unknown}; there are ${Object.keys(BENCHES).join(', ')}\n`);
    process.exitCode = 2;
    return;
  }
  const listed = Object.keys(BENCHES).filter(
    (name) => name !== ON_REQUEST || (process.env['SCALE'] ?? '') !== '',
  );
  for (const name of names.length > 0 ? names : listed) {
    const file = fileURLToPath(new URL(BENCHES[name]!, import.meta.url));
    const report = runPart(file, args.includes('--quick') ? ['--quick'] : []) as BenchReport;
    process.stdout.write(`${args.includes('--json') ? JSON.stringify(report) : formatReport(report)}\n\n`);
  }
}

main(process.argv.slice(2));
