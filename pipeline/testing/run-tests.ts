import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { groupsOf } from './test-groups.js';

/**
 * `make test`: runs test files through tap, several in a process. Arguments: options of tap; folders (`server`,
 * `pipeline/mmdb`), to run only their tests; or compiled files, which then run one per process.
 */
const DIST = fileURLToPath(new URL('../..', import.meta.url));
const GROUPS = join(DIST, 'test-groups');
const FIGURES = join(GROUPS, 'cpu-seconds.txt');
const TAP = fileURLToPath(new URL('../../../node_modules/.bin/tap', import.meta.url));

const args = process.argv.slice(2);
const folders = args.filter((arg) => /^(?:pipeline|server|fixtures)(?:\/|$)/.test(arg));
const options = args.filter((arg) => !folders.includes(arg));
const named = options.some((arg) => arg.endsWith('.js') || existsSync(arg));
const { status } = spawnSync(TAP, named ? args : [...options, ...writeGroups()], { stdio: 'inherit' });
if (!named) process.stderr.write(costPerFolder(readFileSync(FIGURES, 'utf8')));
process.exitCode = status ?? 1;

/** Writes a module per group, numbered because tap starts files in the order of their names. Returns their paths. */
function writeGroups(): string[] {
  rmSync(GROUPS, { recursive: true, force: true });
  mkdirSync(GROUPS);
  writeFileSync(FIGURES, '');
  const all = readdirSync(DIST, { recursive: true, encoding: 'utf8' })
    .map((path) => path.replaceAll('\\', '/'))
    .filter((path) => path.endsWith('.test.js') && isChosen(path));
  return groupsOf(all).map(({ name, files }, i) => {
    const path = join(GROUPS, `${String(i + 1).padStart(2, '0')}-${name}.js`);
    const modules = files.map((file) => ({ name: `dist/${file}`, url: `../${file}` }));
    writeFileSync(path, groupModule(modules));
    return path;
  });
}

function isChosen(path: string): boolean {
  return folders.length === 0 || folders.some((folder) => path.startsWith(`${folder.replace(/\/$/, '')}/`));
}

function groupModule(modules: readonly { readonly name: string; readonly url: string }[]): string {
  const files = modules.map(
    ({ name, url }) => `  { name: '${name}', url: new URL('${url}', import.meta.url).href },\n`,
  );
  return [
    `import { isPlain, restartPlain } from '../pipeline/testing/plain-process.js';\n`,
    `const files = [\n${files.join('')}];\n`,
    `if (isPlain()) {\n`,
    `  const { runTogether } = await import('../pipeline/testing/run-together.js');\n`,
    `  await runTogether(files, new URL('cpu-seconds.txt', import.meta.url));\n`,
    `} else restartPlain(import.meta.filename);\n`,
  ].join('');
}

/**
 * Returns a table of CPU seconds per folder in descending order, from lines like `1.25
 * dist/pipeline/net/prefix.test.js`.
 */
function costPerFolder(figures: string): string {
  const folders = new Map<string, { seconds: number; files: number }>();
  for (const line of figures.split('\n').filter(Boolean)) {
    const [seconds = '', file = ''] = line.split(' ');
    const folder = file.split('/').slice(1, -1).slice(0, 2).join('/');
    const { seconds: sum, files } = folders.get(folder) ?? { seconds: 0, files: 0 };
    folders.set(folder, { seconds: sum + Number(seconds), files: files + 1 });
  }
  const total = [...folders.values()].reduce((sum, { seconds }) => sum + seconds, 0);
  const rows = [...folders]
    .sort(([, a], [, b]) => b.seconds - a.seconds)
    .map(([folder, { seconds, files }]) => row(seconds, files, folder));
  const files = [...folders.values()].reduce((sum, { files }) => sum + files, 0);
  return ['CPU seconds  files  folder', ...rows, row(total, files, 'all'), ''].join('\n');
}

function row(seconds: number, files: number, folder: string): string {
  return `${seconds.toFixed(1).padStart(11)}  ${String(files).padStart(5)}  ${folder}`;
}
