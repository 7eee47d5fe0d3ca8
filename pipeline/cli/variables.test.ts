import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import t from 'tap';
import { VARIABLES } from '../../server/config-variables.js';
import { parseConfig } from '../../server/parse-config.js';
import { variablesOf } from '../fetch/download-address.js';
import { planDownloads } from '../fetch/download-plan.js';
import { filesOfSource, SOURCES } from '../snapshot/sources.js';
import { KEPT_RELEASES } from '../release/prune-releases.js';
import { buildSettings, cacheBytesOf, liveSettings, type Environment } from './environment.js';
import {
  AGENT_VARIABLES,
  BUILD_VARIABLES,
  CONFORMANCE_VARIABLES,
  defaultOf,
  describeVariables,
  STORE_SERVICE_VARIABLES,
  type Variables,
} from './variables.js';

const ROOT = join(import.meta.dirname, '../../..');

/** The tables of variables in each guide, in the order of the guide. */
const GUIDES: Readonly<Record<string, readonly Variables[]>> = {
  'pipeline/README.md': [BUILD_VARIABLES],
  'pipeline/store/README.md': [STORE_SERVICE_VARIABLES],
  'server/README.md': [VARIABLES, AGENT_VARIABLES, CONFORMANCE_VARIABLES],
};

const HEAD = ['variable', 'meaning', 'allowed', 'default'];

/** The rows of the tables of variables in a guide, a list for each table, without Markdown's code marks. */
function tablesIn(markdown: string): string[][][] {
  const tables: string[][][] = [];
  let isTable = false;
  for (const line of markdown.split('\n')) {
    const cells = line.startsWith('|') ? line.split('|').slice(1, -1) : [];
    const texts = cells.map((cell) => cell.replaceAll('`', '').trim());
    if (texts.join() === HEAD.join()) tables.push([]);
    else if (isTable && cells.length > 0 && !/^[\s:-]+$/.test(texts.join(''))) tables.at(-1)!.push(texts);
    isTable = cells.length > 0 && (isTable || texts.join() === HEAD.join());
  }
  return tables;
}

/** Every difference between a guide's tables and the code, one line each. */
function differences(markdown: string, expected: readonly Variables[]): string[] {
  const tables = tablesIn(markdown);
  if (tables.length !== expected.length)
    return [`${expected.length} tables expected, ${tables.length} found`];
  return expected.flatMap((variables, i) => differencesInTable(tables[i]!, variables));
}

function differencesInTable(rows: readonly string[][], variables: Variables): string[] {
  const inGuide = new Map(rows.map(([name = '', ...cells]) => [name, cells]));
  const missing = Object.keys(variables).filter((name) => !inGuide.has(name));
  const extra = [...inGuide.keys()].filter((name) => !(name in variables));
  const changed = Object.entries(variables).flatMap(([name, variable]) => {
    const expected = [variable.meaning, variable.allowed, defaultOf(variable)];
    return (inGuide.get(name) ?? expected).flatMap((cell, i) =>
      cell === expected[i]
        ? []
        : [`${name}: ${HEAD[i + 1]!} "${cell}" in the guide, "${expected[i]!}" in the code`],
    );
  });
  return [
    ...missing.map((name) => `${name}: missing in the guide`),
    ...extra.map((name) => `${name}: not in the code`),
    ...changed,
  ];
}

for (const [guide, expected] of Object.entries(GUIDES)) {
  t.test(`the variables in ${guide} are those of the code`, (t) => {
    t.same(differences(readFileSync(join(ROOT, guide), 'utf8'), expected), []);
    t.end();
  });
}

t.test('a missing variable, an extra one, another default and a missing table are reported', (t) => {
  const variables: Variables = {
    PORT: { meaning: 'port', allowed: '0-65535', default: '8080' },
    HOST: { meaning: 'address', allowed: 'text', unset: 'all' },
  };
  const guide = (...rows: readonly string[]): string =>
    [
      '# Guide',
      '',
      '| variable | meaning | allowed | default |',
      '| --- | --- | --- | --- |',
      ...rows,
      '',
    ].join('\n');
  const port = '| `PORT` | port | 0-65535 | `8080` |';
  const host = '| `HOST` | address | text | all |';
  t.same(differences(guide(port, host), [variables]), []);
  t.same(differences(guide(port), [variables]), ['HOST: missing in the guide']);
  t.same(differences(guide(port, host, '| `OLD` | gone | text | none |'), [variables]), [
    'OLD: not in the code',
  ]);
  t.same(differences(guide(port.replace('8080', '80'), host), [variables]), [
    'PORT: default "80" in the guide, "8080" in the code',
  ]);
  t.same(differences(guide(port.replace('0-65535', '1-65535'), host), [variables]), [
    'PORT: allowed "1-65535" in the guide, "0-65535" in the code',
  ]);
  t.same(differences('# Guide\n', [variables]), ['1 tables expected, 0 found']);
  t.end();
});

t.test('--help lists every variable with its allowed values and its default', (t) => {
  for (const variables of [...Object.values(GUIDES).flat()]) {
    const help = describeVariables(variables).replace(/\n {4,}/g, ' ');
    for (const [name, variable] of Object.entries(variables)) {
      t.match(help, `[${variable.allowed}; default: ${defaultOf(variable)}]`, name);
      t.match(help, new RegExp(`^  ${name} `, 'm'));
    }
  }
  t.end();
});

t.test('every variable has either a default value or a text for when it is not set', (t) => {
  for (const [name, { default: value, unset }] of Object.values(GUIDES)
    .flat()
    .flatMap((one) => Object.entries(one))) {
    t.equal([value, unset].filter((text) => text !== undefined).length, 1, name);
  }
  t.end();
});

t.test('the defaults are those that the code uses', (t) => {
  const defaults = (variables: Variables) => (name: string) => variables[name]?.default;
  t.same(
    parseConfig(defaults(VARIABLES), '/output'),
    parseConfig(() => undefined, '/output'),
  );
  const bare: Environment = {
    feeds: '',
    projectDir: '',
    bundledFeedsDir: '',
    buildFeeds: '',
    buildJobs: '',
    datasetFeeds: '',
    outputDir: '',
    redisUrl: undefined,
    sourceDateEpoch: '1',
    processors: 4,
    mirror: undefined,
    ribCollectors: '',
    relaysAreProxies: '',
    keepReleases: '',
    cacheGb: '',
    readVariable: () => undefined,
    processor: new URL('file:///processor.js'),
    stdin: process.stdin,
    stdout: process.stdout,
    results: process.stdout,
    stderr: process.stderr,
    progress: process.stderr,
    isTerminal: false,
  };
  const { CACHE_GB, RIB_COLLECTORS, RELAYS_ARE_PROXIES, KEEP_RELEASES } = BUILD_VARIABLES;
  const explicit = {
    ...bare,
    cacheGb: CACHE_GB.default,
    ribCollectors: RIB_COLLECTORS.default,
    relaysAreProxies: RELAYS_ARE_PROXIES.default,
    keepReleases: KEEP_RELEASES.default,
  };
  t.same(liveSettings(explicit, {}).collectors, liveSettings(bare, {}).collectors);
  t.equal(cacheBytesOf(explicit), cacheBytesOf(bare));
  t.equal(buildSettings(explicit, {}).keepReleases, KEPT_RELEASES);
  t.equal(buildSettings(explicit, {}).relaysAreProxies, buildSettings(bare, {}).relaysAreProxies);
  t.end();
});

t.test('the tables have every variable that the programs and the downloads read', (t) => {
  const known = new Set(
    Object.values(GUIDES).flatMap((tables) => tables.flatMap((table) => Object.keys(table))),
  );
  const read = ['pipeline', 'server'].flatMap((folder) => variablesReadIn(join(ROOT, folder)));
  t.ok(
    read.includes('FEEDS') && read.includes('IPATLAS_KEY') && read.includes('PROBE_TOKEN'),
    'found by the search',
  );
  const downloads = planDownloads(SOURCES.flatMap(filesOfSource));
  const tokens = downloads.flatMap(({ download }) => variablesOf(download));
  t.ok(tokens.includes('MAXMIND_LICENSE_KEY'));
  // OUTPUT_DIR is the second name of OUTPUT, and TERM is set by the terminal.
  const unknown = [...read, ...tokens].filter(
    (name) => !known.has(name) && !['OUTPUT_DIR', 'TERM'].includes(name),
  );
  t.same(unknown, []);
  t.end();
});

/** Names of variables in `env['NAME']`, `read('NAME')` and `readVariable('NAME')` of the sources below a folder. */
function variablesReadIn(dir: string): string[] {
  const sources = readdirSync(dir, { recursive: true, encoding: 'utf8' }).filter(
    (name) => name.endsWith('.ts') && !/\.(test|bench)\.ts$|^bench\.ts$|\btesting\//.test(name),
  );
  return sources.flatMap((name) => {
    const text = readFileSync(join(dir, name), 'utf8');
    return [...text.matchAll(/(?:env\[|\bread(?:Variable)?\()'([A-Z][A-Z_]+)'/g)].map(
      ([, variable]) => variable!,
    );
  });
}
