import { fileURLToPath } from 'node:url';
import { formatReport, runPart, type BenchReport } from './bench/bench-report.js';

/** The benchmarks by name. Usage: `node dist/pipeline/bench.js [name …] [--quick] [--json]`. */
const BENCHES: Readonly<Record<string, string>> = {
  table: 'table/table.bench.js',
  feeds: 'feeds/feeds.bench.js',
  'input/registry-dump': 'input/registrations/registry-dump.bench.js',
  merge: 'merge/merge.bench.js',
  'mmdb/write': 'mmdb/write.bench.js',
  'mmdb/read-file': 'mmdb/read-file.bench.js',
  'mmdb/read-addresses': '../server/bench/read-addresses.bench.js',
  'bgp/rib': 'bgp/rib.bench.js',
  'bgp/relationships': 'bgp/relationships.bench.js',
  'lists/ip2proxy': 'lists/proxy/ip2proxy.bench.js',
  'routing/routes': 'routing/routes.bench.js',
  isp: 'isp/isp.bench.js',
  changes: 'changes/changes.bench.js',
  lookup: 'lookup/lookup.bench.js',
  export: 'export/export.bench.js',
  server: '../server/bench/server.bench.js',
  'server/nginx': '../server/bench/nginx.bench.js',
  'server/live': '../server/bench/live.bench.js',
  'server/swap': '../server/bench/swap.bench.js',
  'server/processes': '../server/bench/processes.bench.js',
  'server/attack': '../server/bench/attack.bench.js',
  scale: 'cli/scale.bench.js',
};

/** Benchmarks that take minutes. They run only when named on the command line; `scale` also when the environment has SCALE=rows. */
const ON_REQUEST: readonly string[] = ['scale', 'server/attack'];

/** Runs each benchmark in its own process and prints its report when it is complete. */
function main(args: readonly string[]): void {
  const listed = Object.keys(BENCHES).filter(
    (name) => !ON_REQUEST.includes(name) || (name === 'scale' && (process.env['SCALE'] ?? '') !== ''),
  );
  const asked = args.filter((arg) => !OPTIONS.includes(arg));
  const unknown = asked.find((name) => namesFor(name).length === 0);
  if (unknown !== undefined) {
    process.stderr.write(
      `unknown benchmark "${unknown}": expected one of ${Object.keys(BENCHES).join(', ')}, or the beginning of a name\n`,
    );
    process.exitCode = 2;
    return;
  }
  for (const name of asked.length > 0 ? new Set(asked.flatMap(namesFor)) : listed) runBench(name, args);
}

const OPTIONS: readonly string[] = ['--quick', '--json'];

/**
 * Returns the benchmark of this name, or else all whose names begin with it: `mmdb` is `mmdb/write` and `mmdb/read`.
 */
function namesFor(asked: string): string[] {
  return asked in BENCHES ? [asked] : Object.keys(BENCHES).filter((name) => name.startsWith(asked));
}

/** Runs one benchmark. A failure is printed, sets the exit code to 1 and does not stop the other benchmarks. */
function runBench(name: string, args: readonly string[]): void {
  const file = fileURLToPath(new URL(BENCHES[name]!, import.meta.url));
  try {
    const report = runPart(file, args.includes('--quick') ? ['--quick'] : []) as BenchReport;
    process.stdout.write(`${args.includes('--json') ? JSON.stringify(report) : formatReport(report)}\n\n`);
  } catch (error) {
    process.stderr.write(`${name}: failed: ${(error as Error).message.split('\n', 1)[0]!}\n\n`);
    process.exitCode = 1;
  }
}

main(process.argv.slice(2));
