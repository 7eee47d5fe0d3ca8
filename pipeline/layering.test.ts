import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join, posix, relative, sep } from 'node:path';
import t from 'tap';
import ts from 'typescript';

/** Folders of pipeline/ by layer: a folder may import itself and lower layers, never its neighbours. */
const LAYERS: readonly (readonly string[])[] = [
  ['bench', 'testing'],
  ['fuzz'],
  ['net', 'vantage-points', 'text'],
  ['table', 'html'],
  ['mmdb'],
  ['changes'],
  ['input'],
  ['feeds'],
  ['lists'],
  ['registry', 'bgp', 'gazetteer'],
  ['merge', 'routing', 'isp'],
  ['release'],
  ['store', 'record'],
  ['evaluate', 'fetch', 'notify', 'export', 'lookup'],
  ['stage'],
  ['snapshot'],
  ['ingest'],
  ['datasets'],
  ['publish'],
  ['jobs'],
  ['cli'],
  ['soak', 'nights', 'clients'],
  ['main'],
];

/** Modules of the pipeline that the server may import. Their main interface is the files in output/. */
const OPEN_TO_SERVER = [
  /^pipeline\/net\//,
  /^pipeline\/mmdb\/field-decoder\.ts$/,
  /^pipeline\/vantage-points\//,
  /^pipeline\/text\//,
  /^pipeline\/html\//,
  /^pipeline\/record\//,
  /^pipeline\/release\/contract\.ts$/,
  /^pipeline\/release\/release-(store|at)\.ts$/,
  /^pipeline\/store\//,
];

/**
 * Further modules of the pipeline that tests and benchmarks of the server may import: shared test code, and the writers
 * of a release's files. Other test code is in `server/testing/`.
 */
const OPEN_TO_SERVER_TESTS = [
  /^pipeline\/(testing|bench|fuzz|table|mmdb|release)\//,
  /^pipeline\/(merge|routing|isp)\/[a-z-]*(records?|schema|index)\.ts$/,
];

/** The Redis that `serve` opens, for benchmarks. */
const OPEN_TO_SERVER_BENCHMARKS = /^pipeline\/jobs\/accounts-redis\.ts$/;

/** Modules of the server that the command line may import: its start, and the modules behind other commands. */
const OPEN_TO_CLI =
  /^server\/(serve|config|config-variables|parse-config|process\/serve-mcp)\.ts$|^server\/(ledger|conformance|doctor|nodes)\//;

/**
 * Folders and files of server/ by layer: each may import its own layer and lower ones. The types of endpoints are below
 * the endpoints, and the request pipeline is above them.
 */
const SERVER_LAYERS: readonly RegExp[] = [
  /^(byte-text|config|config-variables|failure|upstream-error|deadline|concurrency-limit|count-per-key|entity-tag)\.ts$/,
  /^(ledger|release|targets)\//,
  /^(dns|egress)\//,
  /^(http\/(answer|route))\.ts$/,
  /^(parts\.ts$|lookup\/|bgp\/|datasets\/|whois\/|probe\/|nodes\/|global-dns\/)/,
  /^routes\//,
  /^http\//,
  /^(openapi|metrics)\//,
  /^(pages|mcp)\//,
  /^app\.ts$/,
  /^process\//,
  /^((parse-config|serve)\.ts$|doctor\/|conformance\/)/,
];

/** Folders of the ledger that do not import each other. */
const LEDGER_HALVES = ['server/ledger/accounts/', 'server/ledger/meters/'];

/** Packages that belong to one place, and the files that may import them. */
const PACKAGES: Readonly<Record<string, RegExp>> = {
  bullmq: /^pipeline\/jobs\//,
  ioredis: /^(pipeline\/jobs|server)\//,
  '@aws-sdk': /^pipeline\/store\//,
  standardwebhooks: /^pipeline\/notify\//,
};

/** The imports of each source file by its path in the project: project paths or names of packages. */
type ImportGraph = Readonly<Record<string, readonly string[]>>;

/** Returns the broken rules of a graph, one line each. */
function brokenRules(graph: ImportGraph): string[] {
  const broken = Object.entries(graph).flatMap(([file, imports]) =>
    imports.flatMap((imported) => {
      const reason = whyForbidden(file, imported);
      return reason === undefined ? [] : [`${file} imports ${imported}: ${reason}`];
    }),
  );
  return [...broken, ...cyclesOf(graph)];
}

function whyForbidden(file: string, imported: string): string | undefined {
  if (!imported.endsWith('.ts')) return whyForbiddenPackage(file, imported);
  if (isTest(imported) && !isTest(file)) return 'only tests may import test code';
  if (/^fixtures\//.test(imported)) return isTest(file) ? undefined : 'only tests may import fixtures';
  if (file.startsWith('server/')) return whyForbiddenToServer(file, imported);
  if (file.startsWith('pipeline/cli/') && OPEN_TO_CLI.test(imported)) return undefined;
  const from = layerOf(file);
  const to = layerOf(imported);
  if (from < 0) return `${file} is in no layer`;
  if (to < 0) return `${imported} is in no layer`;
  if (to < from || (to === from && (isTest(file) || folderOf(file) === folderOf(imported)))) return undefined;
  return to > from ? 'a higher layer' : 'a neighbour in its layer';
}

function whyForbiddenPackage(file: string, imported: string): string | undefined {
  const name = Object.keys(PACKAGES).find((name) => imported === name || imported.startsWith(`${name}/`));
  return name === undefined || PACKAGES[name]!.test(file) ? undefined : `only ${PACKAGES[name]!.source} may`;
}

function whyForbiddenToServer(file: string, imported: string): string | undefined {
  if (isForBrowsers(file) !== isForBrowsers(imported)) return 'scripts for browsers stand alone';
  if (imported.startsWith('server/')) {
    if (isTest(file)) return undefined;
    const [from, to] = [serverLayerOf(file), serverLayerOf(imported)];
    if (from < 0 || to < 0) return `${from < 0 ? file : imported} is in no layer`;
    const half = LEDGER_HALVES.find((half) => file.startsWith(half));
    if (half !== undefined && LEDGER_HALVES.some((other) => other !== half && imported.startsWith(other)))
      return 'a neighbour in its layer';
    return to > from ? 'a higher layer' : undefined;
  }
  if (OPEN_TO_SERVER.some((open) => open.test(imported))) return undefined;
  if (!isTest(file)) return 'not open to the server';
  if (OPEN_TO_SERVER_TESTS.some((open) => open.test(imported))) return undefined;
  const isBenchmark = file.endsWith('.bench.ts') && OPEN_TO_SERVER_BENCHMARKS.test(imported);
  return isBenchmark ? undefined : "not open to the server's tests";
}

/** Returns whether a file is compiled for browsers: it has no modules of Node. */
function isForBrowsers(file: string): boolean {
  return file.startsWith('server/pages/browser/');
}

/**
 * Returns the number of the layer from below; -1 for a file in no layer. `http/answer.ts` is matched before `http/`.
 */
function serverLayerOf(file: string): number {
  return SERVER_LAYERS.findIndex((layer) => layer.test(file.slice('server/'.length)));
}

/** Returns whether a file is a test, a benchmark, a fuzz target, the soak, the record of clients or test code. */
function isTest(file: string): boolean {
  return /\.(test|bench|fuzz)\.ts$|\/testing\/|^pipeline\/(soak|clients)(\/|\.ts$)/.test(file);
}

/** Returns the folder in pipeline/: `main` for files directly in it, `''` for files outside. */
function folderOf(file: string): string {
  const [top, folder, ...rest] = file.split('/');
  if (top !== 'pipeline') return '';
  return rest.length === 0 ? 'main' : folder!;
}

/** Returns the number of the layer from below; -1 for a folder in no layer. */
function layerOf(file: string): number {
  return LAYERS.findIndex((folders) => folders.includes(folderOf(file)));
}

/** Returns every import that closes a cycle, with the cycle. */
function cyclesOf(graph: ImportGraph): string[] {
  const found: string[] = [];
  const path: string[] = [];
  const done = new Set<string>();
  const visit = (file: string): void => {
    const at = path.indexOf(file);
    if (at >= 0) found.push(`a cycle: ${[...path.slice(at), file].join(' > ')}`);
    if (at >= 0 || done.has(file)) return;
    path.push(file);
    for (const imported of graph[file] ?? []) visit(imported);
    path.pop();
    done.add(file);
  };
  Object.keys(graph).forEach(visit);
  return found;
}

/** Returns the imports of every source file in some folders of the project, types and dynamic imports included. */
function readGraph(root: string, folders: readonly string[]): ImportGraph {
  const files = folders
    .filter((folder) => existsSync(join(root, folder)))
    .flatMap((folder) => sourcesIn(root, folder));
  return Object.fromEntries(
    files.map((file) => {
      const { importedFiles } = ts.preProcessFile(readFileSync(join(root, file), 'utf8'), true, true);
      return [file, importedFiles.map(({ fileName }) => resolveImport(file, fileName))];
    }),
  );
}

function sourcesIn(root: string, folder: string): string[] {
  return readdirSync(join(root, folder), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && entry.name.endsWith('.ts'))
    .map((entry) => relative(root, join(entry.parentPath, entry.name)).replaceAll(sep, '/'))
    .sort();
}

function resolveImport(file: string, specifier: string): string {
  if (!specifier.startsWith('.')) return specifier;
  return posix.join(posix.dirname(file), specifier).replace(/\.js$/, '.ts');
}

const ROOT = join(import.meta.dirname, '../..');

t.test('the imports of the project keep the layers', (t) => {
  const graph = readGraph(ROOT, ['pipeline', 'server']);
  t.ok(Object.keys(graph).length > 10, 'the sources were found');
  t.ok(graph['pipeline/table/zip.ts']?.includes('pipeline/net/address.ts'), 'their imports were read');
  for (const [file, imports] of Object.entries(graph)) {
    const lost = imports.filter((path) => path.endsWith('.ts') && !existsSync(join(ROOT, path)));
    t.same(lost, [], `${file} imports files that exist`);
  }
  t.same(brokenRules(graph), []);
  t.end();
});

t.test('a graph without forbidden imports passes', (t) => {
  const graph: ImportGraph = {
    'pipeline/net/address.ts': ['node:assert'],
    'pipeline/table/zip.ts': ['pipeline/net/address.ts', 'pipeline/table/slots.ts'],
    'pipeline/table/zip.bench.ts': ['pipeline/table/zip.ts', 'pipeline/table/testing/example.ts'],
    'pipeline/gazetteer/names.ts': ['pipeline/input/csv.ts'],
    'pipeline/bgp/mrt.test.ts': ['pipeline/registry/rpki.ts', 'fixtures/generate/rib.ts', 'tap'],
    'pipeline/merge/location.ts': ['pipeline/gazetteer/names.ts'],
    'pipeline/jobs/flow.ts': ['bullmq', 'ioredis', 'pipeline/release/publish-release.ts'],
    'pipeline/cli/key-command.ts': ['server/ledger/ledger.ts'],
    'pipeline/cli/doctor-command.ts': ['server/doctor/examine.ts'],
    'pipeline/main.ts': ['pipeline/jobs/flow.ts', 'pipeline/progress.ts', 'commander'],
    'pipeline/cli/serve-command.ts': [
      'server/serve.ts',
      'server/parse-config.ts',
      'server/ledger/accounts/account.ts',
    ],
    'server/routes/ip-lookup.ts': ['server/http/route.ts', 'server/failure.ts', 'server/lookup/ip-record.ts'],
    'server/app.ts': [
      'ioredis',
      'server/config.ts',
      'server/http/mount-routes.ts',
      'pipeline/net/address.ts',
      'pipeline/release/contract.ts',
      'pipeline/release/release-store.ts',
    ],
    'server/app.test.ts': [
      'pipeline/mmdb/write.ts',
      'pipeline/merge/city-record.ts',
      'pipeline/testing/redis-server.ts',
      'server/app.ts',
    ],
    'server/bench/live.bench.ts': ['pipeline/jobs/accounts-redis.ts'],
  };
  t.same(brokenRules(graph), []);
  t.end();
});

t.test('each forbidden import is reported', (t) => {
  const cases: [string, string, RegExp][] = [
    ['pipeline/net/address.ts', 'pipeline/table/zip.ts', /a higher layer/],
    ['pipeline/net/address.test.ts', 'pipeline/table/zip.ts', /a higher layer/],
    ['pipeline/feeds/own/own.ts', 'pipeline/gazetteer/names.ts', /a higher layer/],
    ['pipeline/bgp/mrt.ts', 'pipeline/registry/rpki.ts', /a neighbour/],
    ['pipeline/release/gates.ts', 'pipeline/jobs/flow.ts', /a higher layer/],
    ['pipeline/jobs/flow.ts', 'pipeline/main.ts', /a higher layer/],
    ['pipeline/odd/thing.ts', 'pipeline/net/address.ts', /odd\/thing\.ts is in no layer/],
    ['pipeline/jobs/flow.ts', 'pipeline/odd/thing.ts', /odd\/thing\.ts is in no layer/],
    ['pipeline/jobs/flow.ts', 'server/app.ts', /server\/app\.ts is in no layer/],
    ['pipeline/jobs/flow.ts', 'fixtures/generate/rib.ts', /only tests may import fixtures/],
    ['pipeline/table/zip.ts', 'pipeline/table/zip.test.ts', /only tests may import/],
    ['pipeline/release/gates.ts', 'pipeline/release/testing/example-release.ts', /only tests may import/],
    ['server/app.ts', 'pipeline/mmdb/write.ts', /not open to the server/],
    ['server/app.ts', 'pipeline/release/publish-release.ts', /not open to the server/],
    ['server/app.ts', 'pipeline/table/zip.ts', /not open to the server/],
    ['server/app.test.ts', 'pipeline/jobs/testing/stages.ts', /not open to the server's tests/],
    ['server/app.test.ts', 'pipeline/jobs/accounts-redis.ts', /not open to the server's tests/],
    ['server/app.test.ts', 'pipeline/cli/testing/command-line.ts', /not open to the server's tests/],
    ['server/testing/small-release.ts', 'pipeline/merge/merge.ts', /not open to the server's tests/],
    ['server/app.ts', 'pipeline/testing/redis-server.ts', /only tests may import/],
    ['pipeline/cli/serve-command.ts', 'server/app.ts', /in no layer/],
    ['pipeline/jobs/flow.ts', 'server/serve.ts', /in no layer/],
    ['server/routes/ip-lookup.ts', 'server/http/request-pipeline.ts', /a higher layer/],
    ['server/release/snapshot.ts', 'server/http/route.ts', /a higher layer/],
    ['server/http/request-pipeline.ts', 'server/metrics/access-log.ts', /a higher layer/],
    ['server/odd/thing.ts', 'server/config.ts', /in no layer/],
    ['server/pages/browser/copy-code.ts', 'server/config.ts', /stand alone/],
    ['server/pages/browser/copy-code.ts', 'pipeline/net/address.ts', /stand alone/],
    ['server/pages/layout.ts', 'server/pages/browser/copy-code.ts', /stand alone/],
    ['server/ledger/meters/meter.ts', 'server/ledger/accounts/account.ts', /a neighbour/],
    ['server/app.ts', 'server/testing/small-release.ts', /only tests may import/],
    ['pipeline/main.ts', 'bullmq', /only .*jobs/],
    ['server/app.ts', 'bullmq', /only .*jobs/],
    ['pipeline/feeds/own/own.ts', 'ioredis', /only .*jobs/],
    ['pipeline/merge/x.test.ts', 'bullmq/dist/flow', /only .*jobs/],
    ['server/app.ts', '@aws-sdk/client-s3', /only .*store/],
  ];
  for (const [file, imported, reason] of cases) {
    const broken = brokenRules({ [file]: [imported] });
    t.equal(broken.length, 1, `${file} imports ${imported}`);
    t.match(broken[0], reason);
  }
  t.end();
});

t.test('cycles are reported: of one file, of two files, and far from the first file of the search', (t) => {
  const [a, b, c, d] = ['a', 'b', 'c', 'd'].map((name) => `pipeline/net/${name}.ts`) as [
    string,
    string,
    string,
    string,
  ];
  t.same(brokenRules({ [a]: [a] }), [`a cycle: ${a} > ${a}`]);
  t.same(brokenRules({ [a]: [b], [b]: [a] }), [`a cycle: ${a} > ${b} > ${a}`]);
  t.same(brokenRules({ [a]: [b, c], [b]: [c], [c]: [d], [d]: [b] }), [`a cycle: ${b} > ${c} > ${d} > ${b}`]);
  t.same(brokenRules({ [a]: [b, c], [b]: [d], [c]: [d], [d]: [] }), [], 'two ways to a file are no cycle');
  t.end();
});

t.test('reads static, type-only, re-exporting and dynamic imports', (t) => {
  const root = t.testdir({
    pipeline: {
      net: {
        'a.ts': `import { b } from './b.js';
import type { C } from '../table/c.js';
export { d } from './d.js';
export type * from './e.js';
const f = await import('./f.js');
import 'bullmq';
// import './not.js'
const text = "import './not.js'";`,
      },
    },
  });
  t.same(readGraph(root, ['pipeline', 'server']), {
    'pipeline/net/a.ts': [
      'pipeline/net/b.ts',
      'pipeline/table/c.ts',
      'pipeline/net/d.ts',
      'pipeline/net/e.ts',
      'pipeline/net/f.ts',
      'bullmq',
    ],
  });
  t.end();
});

/** Returns the folders without a line in ARCHITECTURE.md: `- [merge](pipeline/merge): …`. */
function roomsWithoutLine(architecture: string, rooms: readonly string[]): string[] {
  return rooms.filter((room) => !architecture.includes(`\n- [${posix.basename(room)}](${room}): `));
}

t.test('every folder has a line in ARCHITECTURE.md', (t) => {
  const inPipeline = LAYERS.flat().filter((folder) => folder !== 'main');
  const inServer = readdirSync(join(ROOT, 'server'), { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map(({ name }) => name);
  const rooms = [
    ...inPipeline.map((folder) => `pipeline/${folder}`),
    ...inServer.map((folder) => `server/${folder}`),
  ];
  t.same(roomsWithoutLine(readFileSync(join(ROOT, 'ARCHITECTURE.md'), 'utf8'), rooms), []);
  t.same(
    roomsWithoutLine('\n- [a](pipeline/a): reads files\n- [b](pipeline/b)\n', ['pipeline/a', 'pipeline/b']),
    ['pipeline/b'],
    'a folder without a line is reported',
  );
  t.end();
});
