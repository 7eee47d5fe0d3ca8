import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { accessSync, constants, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import t, { type Test } from 'tap';
import { COMMAND_MODULES } from '../cli/commands.js';
import { shortDir } from '../testing/child-process.js';
import { PROJECT } from '../testing/command-line.js';

const FOLDER = join(PROJECT, 'pipeline/nights');
const textOf = (name: string): string => readFileSync(join(FOLDER, name), 'utf8');
const COMMANDS = new Set<string>(COMMAND_MODULES.flatMap(({ names }) => names));
/** The project's folder in the image. */
const IN_IMAGE = '/opt/ipatlas/';

/** Returns the instructions of a Containerfile; lines that end in a backslash are joined. */
function instructions(text: string): [name: string, rest: string][] {
  return text
    .replace(/\\\n\s*/g, '')
    .split('\n')
    .filter((line) => line !== '' && !line.startsWith('#'))
    .map((line) => [line.slice(0, line.indexOf(' ')), line.slice(line.indexOf(' ') + 1)]);
}

t.test('the Containerfile copies only what exists and runs what it has copied', (t) => {
  const all = instructions(textOf('Containerfile'));
  const valuesOf = (name: string): string[] => all.filter(([one]) => one === name).map(([, rest]) => rest);
  const copied: string[] = [];
  for (const rest of valuesOf('COPY')) {
    const sources = rest.split(' ').filter((word) => !word.startsWith('--'));
    const target = sources.pop();
    t.ok(target);
    for (const source of sources) {
      const path = source.replace(IN_IMAGE, '');
      t.ok(existsSync(join(PROJECT, path)), path);
      copied.push(path);
    }
  }
  const programs = [...textOf('Containerfile').matchAll(/"\/opt\/ipatlas\/([^"]+)"/g)].map(
    ([, path]) => path!,
  );
  t.strictSame(programs.length, 2, 'the health check and the entry point');
  for (const path of programs) {
    t.ok(existsSync(join(PROJECT, path)), path);
    t.ok(
      copied.some((one) => path === one || path.startsWith(`${one}/`)),
      `${path} is copied`,
    );
  }
  const [first, last] = valuesOf('FROM');
  t.equal(`${last!} AS compiled`, first, 'both stages have the same base');
  t.match(valuesOf('USER'), [/^[1-9]\d*:[1-9]\d*$/], 'one user, a number that is not root');
  const [command = ''] = valuesOf('CMD');
  t.ok(COMMANDS.has((JSON.parse(command) as string[])[0]!), command);
  t.end();
});

t.test('compose.yaml starts programs that the image has', (t) => {
  const text = textOf('compose.yaml');
  const paths = [...text.matchAll(/\/opt\/ipatlas\/([\w./-]+)/g)].map(([, path]) => path!);
  t.ok(paths.length >= 2);
  for (const path of paths) {
    t.ok(textOf('Containerfile').includes(path), `${path} is in the image`);
    accessSync(join(PROJECT, path), constants.X_OK);
  }
  const [, folder = ''] = /env_file: (\S+)/.exec(text) ?? [];
  t.ok(existsSync(join(FOLDER, folder)));
  t.match(text, 'dockerfile: pipeline/nights/Containerfile');
  t.end();
});

/** Starts `every-night` with programs of a test in place of node and sleep, which write their arguments to a file. */
function startEveryNight(
  t: Test,
  node: string,
): { saw: (text: RegExp) => Promise<string>; stop: () => Promise<number> } {
  const dir = shortDir(t);
  mkdirSync(join(dir, 'bin'));
  const program = (name: string, body: string): void => {
    writeFileSync(join(dir, 'bin', name), `#!/bin/sh\n${body}\n`, { mode: 0o755 });
  };
  program('node', node);
  program('sleep', `echo "sleeps $1" >> '${dir}/log'; exec /bin/sleep 1000`);
  const env = {
    ...process.env,
    PATH: `${dir}/bin:${process.env['PATH'] ?? ''}`,
    LOG: join(dir, 'log'),
    BUILD_AT: '02:15',
  };
  const child = spawn(join(FOLDER, 'every-night'), { env, stdio: 'ignore' });
  const ended = once(child, 'exit');
  t.teardown(() => child.kill('SIGKILL'));
  return {
    saw: async (pattern) => {
      for (;;) {
        const log = existsSync(env.LOG) ? readFileSync(env.LOG, 'utf8') : '';
        if (pattern.test(log)) return log;
        if (child.exitCode !== null) throw new Error(`ended with ${child.exitCode}:\n${log}`);
        await new Promise((resolve) => setTimeout(resolve, 20));
      }
    },
    stop: async () => {
      child.kill('SIGTERM');
      const [code] = (await ended) as [number];
      return code;
    },
  };
}

t.test('every-night builds at once, and waits until BUILD_AT also after a failure', async (t) => {
  const before = Date.now();
  const { saw, stop } = startEveryNight(t, 'echo "node $*" >> "$LOG"; exit 1');
  const log = await saw(/^sleeps \d+$/m);
  const [, seconds] = /^sleeps (\d+)$/m.exec(log) ?? [];
  t.match(log, /^node \/opt\/ipatlas\/dist\/pipeline\/main\.js build\n/);
  const at = new Date(before + Number(seconds) * 1000);
  const minutes = (at.getTime() / 60_000) % (24 * 60);
  t.ok(minutes >= 2 * 60 + 14 && minutes <= 2 * 60 + 20, at.toISOString());
  t.ok(Number(seconds) > 0 && Number(seconds) <= 86_400);
  t.equal(await stop(), 0);
});

t.test('every-night passes SIGTERM on to the build and waits for its end', async (t) => {
  const build =
    'trap "echo stopped >> $LOG; exit 143" TERM; echo started >> "$LOG"; while :; do /bin/sleep 0.1; done';
  const { saw, stop } = startEveryNight(t, build);
  await saw(/started/);
  t.equal(await stop(), 0);
  t.match(await saw(/stopped/), /^started\nstopped\n$/);
});

t.test('the scripts of the containers are valid for a POSIX shell', (t) => {
  for (const name of ['every-night', 'container-health'])
    t.equal(spawnSync('sh', ['-n', join(FOLDER, name)], { encoding: 'utf8' }).stderr, '', name);
  t.end();
});
