import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { format, resolveConfig } from 'prettier';
import { ADDRESSES, CLIENTS } from './clients/catalogue.js';
import type { Client } from './clients/client.js';
import { clientTable, replaceTable } from './clients/client-table.js';
import { makeEditions, runClient, versionOf, type ClientResult } from './clients/run-clients.js';
import { environmentOf, PROJECT } from './testing/command-line.js';

const MAIN = join(import.meta.dirname, 'main.js');
const GUIDE = join(PROJECT, 'server/datasets/README.md');
const USAGE = `Usage: make clients [ARGS='…']
  --install       install the missing Debian packages first
  --only <text>   only the clients whose name contains the text; the guide is not written
The guide is written when all clients are installed.
`;

/** Reads the command line. Ends the process with code 64 if an option is invalid. */
function readOptions(): { readonly install: boolean; readonly only: string | undefined } {
  try {
    const options = { install: { type: 'boolean', default: false }, only: { type: 'string' } } as const;
    const { install, only } = parseArgs({ options }).values;
    return { install, only };
  } catch (error) {
    if (!(error instanceof TypeError)) throw error;
    process.stderr.write(`${error.message}\n${USAGE}`);
    process.exit(64);
  }
}

function install(clients: readonly Client[]): void {
  const missing = clients.filter((client) => versionOf(client) === undefined);
  const packages = new Set(missing.flatMap(({ from }) => ('debian' in from ? from.debian : [])));
  if (packages.size === 0) return;
  print(`Installing ${[...packages].join(', ')} (apt-get) …`);
  execFileSync(join(PROJECT, '.ci/apt-install'), [...packages], { stdio: 'inherit' });
}

/** Returns the release of OUTPUT, or builds one from the bundled sample into a folder. */
function findRelease(folder: string): string {
  const { OUTPUT = '' } = process.env;
  if (OUTPUT !== '' && existsSync(join(OUTPUT, 'current'))) return join(OUTPUT, 'current');
  if (OUTPUT !== '') throw new Error(`OUTPUT ${OUTPUT} has no release`);
  print('Building a release from the sample data …');
  const env = environmentOf({ OUTPUT: join(folder, 'output'), BUILD_FEEDS: '' });
  execFileSync(process.execPath, [MAIN, 'build'], { env, stdio: ['ignore', 'ignore', 'inherit'] });
  return join(folder, 'output/current');
}

async function runAll(clients: readonly Client[], folder: string): Promise<ClientResult[]> {
  const files = makeEditions(findRelease(folder), folder, MAIN);
  const results: ClientResult[] = [];
  for (const client of clients) {
    const result = await runClient(client, files, ADDRESSES);
    const right = result.replies.filter(({ problem }) => problem === undefined).length;
    const state =
      result.version === undefined ? 'not installed' : `${right} of ${result.replies.length} as expected`;
    print(`${result.name}: ${state}`);
    for (const { asked, type, problem } of result.replies)
      if (problem !== undefined) print(`  ${asked} of ${type}: ${problem}`);
    results.push(result);
  }
  return results;
}

async function writeGuide(results: readonly ClientResult[]): Promise<void> {
  const text = replaceTable(readFileSync(GUIDE, 'utf8'), clientTable(results));
  const config = await resolveConfig(GUIDE);
  writeFileSync(GUIDE, await format(text, { ...config, parser: 'markdown' }));
  print(`Wrote the table of ${GUIDE}`);
}

function print(line: string): void {
  process.stdout.write(`${line}\n`);
}

const NAMES = CLIENTS.map(({ name }) => name);
const options = readOptions();
const chosen = CLIENTS.filter(({ name }) => name.toLowerCase().includes(options.only?.toLowerCase() ?? ''));
if (chosen.length === 0) {
  process.stderr.write(`no client ${options.only ?? ''}: expected a part of one of ${NAMES.join(', ')}\n`);
  process.exit(64);
}
const folder = mkdtempSync(join(tmpdir(), 'ipatlas-clients-'));
try {
  if (options.install) install(chosen);
  const results = await runAll(chosen, folder);
  const missing = results.filter(({ version }) => version === undefined);
  if (options.only === undefined && missing.length === 0) await writeGuide(results);
  if (options.only === undefined && missing.length > 0) {
    print(`The guide is not written without ${missing.map(({ name }) => name).join(', ')}: use --install`);
    process.exitCode = 1;
  }
} finally {
  rmSync(folder, { recursive: true });
}
