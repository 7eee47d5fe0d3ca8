import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join, posix, relative, sep } from 'node:path';
import t from 'tap';
import ts from 'typescript';

/** Folders of pipeline/ by layer: a folder may import itself and lower layers, never its neighbours. */
const LAYERS: readonly (readonly string[])[] = [
  ['bench'],
  ['net', 'regions'],
  ['table'],
  ['mmdb'],
  ['feeds'],
  ['lists'],
  ['registry', 'bgp', 'proxy', 'cloud', 'gazetteer'],
  ['merge', 'routing', 'service'],
  ['release'],
  ['evaluate', 'fetch'],
  ['stages'],
  ['jobs'],
  ['commands'],
  ['main'],
];

/** What the server may import of the pipeline: their interface is the files in output/. */
const OPEN_TO_SERVER = [
  /^pipeline\/net\//,
  /^pipeline\/regions\//,
  /^pipeline\/release\/contract\.ts$/,
  /^pipeline\/release\/release-store\.ts$/,
];

/** What the command line may import of the server: what starts it, and what its other commands work on. */
const OPEN_TO_COMMANDS =
  /^server\/(serve|config|config-variables|parse-config)\.ts$|^server\/(accounts|conformance|doctor|nodes)\//;

/**
 * Folders and files of server/ by layer: one may import its own layer and lower ones. What says how endpoints look lies
 * below them, and the frame that runs them above.
 */
const SERVER_LAYERS: readonly RegExp[] = [
  /^(config|config-variables|failure|upstream-error|deadline|concurrency-limit)\.ts$/,
  /^(metering|accounts|release|targets)\//,
  /^(dns|egress)\//,
  /^(http\/(answer|route))\.ts$/,
  /^(parts\.ts$|lookup\/|bgp\/|datasets\/|whois\/|probe\/|nodes\/|global-dns\/)/,
  /^routes\//,
  /^http\//,
  /^(openapi|metrics)\//,
  /^app\.ts$/,
  /^process\//,
  /^((parse-config|serve)\.ts$|doctor\/|conformance\/)/,
];

/** Packages that belong to one place, and the files that may import them. */
const PACKAGES: Readonly<Record<string, RegExp>> = {
  bullmq: /^pipeline\/jobs\//,
  ioredis: /^(pipeline\/jobs|server)\//,
};

/** A source file by its path in the project, and what it imports: project paths, or names of packages. */
type ImportGraph = Readonly<Record<string, readonly string[]>>;

/** Every rule that a graph breaks, one line each; none when all is well. */
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
  if (isTest(imported) && !isTest(file)) return 'only tests import what is made for tests';
  if (/^fixtures\//.test(imported)) return isTest(file) ? undefined : 'only tests import fixtures';
  if (file.startsWith('server/')) return whyForbiddenToServer(file, imported);
  if (file.startsWith('pipeline/commands/') && OPEN_TO_COMMANDS.test(imported)) return undefined;
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
  if (isTest(file)) return undefined;
  if (imported.startsWith('server/')) {
    const [from, to] = [serverLayerOf(file), serverLayerOf(imported)];
    if (from < 0 || to < 0) return `${from < 0 ? file : imported} is in no layer`;
    return to > from ? 'a higher layer' : undefined;
  }
  return OPEN_TO_SERVER.some((open) => open.test(imported)) ? undefined : 'not open to the server';
}

/** The layer's number from below, -1 for what is in none; `http/answer.ts` is looked for before `http/`. */
function serverLayerOf(file: string): number {
  return SERVER_LAYERS.findIndex((layer) => layer.test(file.slice('server/'.length)));
}

/** Tests, benchmarks, and what is made for them. */
function isTest(file: string): boolean {
  return /\.(test|bench)\.ts$|\/testing\//.test(file);
}

/** The folder in pipeline/; files right in it are the command line's, `''` is outside. */
function folderOf(file: string): string {
  const [top, folder, ...rest] = file.split('/');
  if (top !== 'pipeline') return '';
  return rest.length === 0 ? 'main' : folder!;
}

/** The layer's number from below, -1 for a folder that is in none. */
function layerOf(file: string): number {
  return LAYERS.findIndex((folders) => folders.includes(folderOf(file)));
}

/** Every import that closes a circle, with the circle. */
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

/** The real imports (types and dynamic imports included) of every source file in some folders of the project. */
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

t.test('a graph that keeps the rules breaks none', (t) => {
  const graph: ImportGraph = {
    'pipeline/net/address.ts': ['node:assert'],
    'pipeline/table/zip.ts': ['pipeline/net/address.ts', 'pipeline/table/slots.ts'],
    'pipeline/table/zip.bench.ts': ['pipeline/table/zip.ts', 'pipeline/table/testing/example.ts'],
    'pipeline/gazetteer/names.ts': ['pipeline/feeds/csv.ts'],
    'pipeline/bgp/mrt.test.ts': ['pipeline/registry/rpki.ts', 'fixtures/generate/rib.ts', 'tap'],
    'pipeline/merge/location.ts': ['pipeline/gazetteer/names.ts'],
    'pipeline/jobs/flow.ts': ['bullmq', 'ioredis', 'pipeline/release/publish-release.ts'],
    'pipeline/commands/key-command.ts': ['server/accounts/ledger.ts'],
    'pipeline/commands/doctor-command.ts': ['server/doctor/examine.ts'],
    'pipeline/main.ts': ['pipeline/jobs/flow.ts', 'pipeline/progress.ts', 'commander'],
    'pipeline/commands/serve-command.ts': [
      'server/serve.ts',
      'server/parse-config.ts',
      'server/accounts/account.ts',
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
    'server/app.test.ts': ['pipeline/mmdb/write.ts', 'server/app.ts'],
  };
  t.same(brokenRules(graph), []);
  t.end();
});

t.test('says no to each forbidden import', (t) => {
  const cases: [string, string, RegExp][] = [
    ['pipeline/net/address.ts', 'pipeline/table/zip.ts', /a higher layer/],
    ['pipeline/net/address.test.ts', 'pipeline/table/zip.ts', /a higher layer/],
    ['pipeline/feeds/own.ts', 'pipeline/gazetteer/names.ts', /a higher layer/],
    ['pipeline/bgp/mrt.ts', 'pipeline/registry/rpki.ts', /a neighbour/],
    ['pipeline/release/gates.ts', 'pipeline/jobs/flow.ts', /a higher layer/],
    ['pipeline/jobs/flow.ts', 'pipeline/main.ts', /a higher layer/],
    ['pipeline/odd/thing.ts', 'pipeline/net/address.ts', /odd\/thing\.ts is in no layer/],
    ['pipeline/jobs/flow.ts', 'pipeline/odd/thing.ts', /odd\/thing\.ts is in no layer/],
    ['pipeline/jobs/flow.ts', 'server/app.ts', /server\/app\.ts is in no layer/],
    ['pipeline/jobs/flow.ts', 'fixtures/generate/rib.ts', /only tests import fixtures/],
    ['pipeline/table/zip.ts', 'pipeline/table/zip.test.ts', /only tests import/],
    ['pipeline/release/gates.ts', 'pipeline/release/testing/example-release.ts', /only tests import/],
    ['server/app.ts', 'pipeline/mmdb/write.ts', /not open to the server/],
    ['server/app.ts', 'pipeline/release/publish-release.ts', /not open to the server/],
    ['server/app.ts', 'pipeline/table/zip.ts', /not open to the server/],
    ['pipeline/commands/serve-command.ts', 'server/app.ts', /in no layer/],
    ['pipeline/jobs/flow.ts', 'server/serve.ts', /in no layer/],
    ['server/routes/ip-lookup.ts', 'server/http/frame.ts', /a higher layer/],
    ['server/release/snapshot.ts', 'server/http/route.ts', /a higher layer/],
    ['server/http/frame.ts', 'server/metrics/access-log.ts', /a higher layer/],
    ['server/odd/thing.ts', 'server/config.ts', /in no layer/],
    ['server/app.ts', 'server/testing/small-release.ts', /only tests import/],
    ['pipeline/main.ts', 'bullmq', /only .*jobs/],
    ['server/app.ts', 'bullmq', /only .*jobs/],
    ['pipeline/feeds/own.ts', 'ioredis', /only .*jobs/],
    ['pipeline/merge/x.test.ts', 'bullmq/dist/flow', /only .*jobs/],
  ];
  for (const [file, imported, reason] of cases) {
    const broken = brokenRules({ [file]: [imported] });
    t.equal(broken.length, 1, `${file} imports ${imported}`);
    t.match(broken[0], reason);
  }
  t.end();
});

t.test('says no to a cycle, of one file, of two, and far from where the search starts', (t) => {
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
