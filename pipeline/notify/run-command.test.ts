import { chmodSync, existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import t, { type Test } from 'tap';
import { shortDir, untilGone } from '../testing/child-process.js';
import { runCommand } from './run-command.js';

/** Writes an executable with this body. */
function newCommand(t: Test, body: string): { path: string; dir: string } {
  const dir = shortDir(t);
  const path = join(dir, 'a command; echo x');
  writeFileSync(path, `#!/bin/sh\ncd '${dir}'\n${body}\n`);
  chmodSync(path, 0o755);
  return { path, dir };
}

const run = async (path: string, limitMs = 20_000) => {
  const lines: string[] = [];
  const variables = { IPATLAS_EVENT: 'build.failed' };
  const failure = await runCommand(path, {
    input: '{"a":1}\n',
    variables,
    print: (line) => lines.push(line),
    limitMs,
  });
  return { failure, lines };
};

t.test(
  'a command gets the message on standard input and its variables, and its output is printed',
  async (t) => {
    const body = 'cat > got; echo "$IPATLAS_EVENT $# ${NOTIFY_SECRET-withheld}"; printf "no line end" >&2';
    const { path, dir } = newCommand(t, body);
    process.env['NOTIFY_SECRET'] = 'whsec_x';
    t.teardown(() => Reflect.deleteProperty(process.env, 'NOTIFY_SECRET'));
    const { failure, lines } = await run(path);
    t.equal(failure, undefined);
    t.strictSame(lines.sort(), ['build.failed 0 withheld', 'no line end']);
    t.equal(readFileSync(join(dir, 'got'), 'utf8'), '{"a":1}\n');
  },
);

t.test('a command may ignore its input', async (t) => {
  t.strictSame(await run(newCommand(t, 'exec <&-; exit 0').path), { failure: undefined, lines: [] });
});

t.test('exit codes and signals are failures', async (t) => {
  t.equal((await run(newCommand(t, 'exit 7').path)).failure, 'exit code 7');
  t.equal((await run(newCommand(t, 'kill -TERM $$').path)).failure, 'ended by SIGTERM');
});

t.test('a file that cannot be started is a failure', async (t) => {
  const { path } = newCommand(t, '');
  writeFileSync(path, '#!/no/such/interpreter\n');
  t.equal((await run(path)).failure, 'cannot be started: ENOENT');
});

t.test('at the time limit the command is killed with what it has started', async (t) => {
  const { path, dir } = newCommand(
    t,
    'sleep 1000 & echo $! > child.tmp; mv child.tmp child; echo started; wait',
  );
  const { failure, lines } = await run(path, 3000);
  t.equal(failure, 'exceeded 3 s');
  t.strictSame(lines, ['started']);
  t.ok(existsSync(join(dir, 'child')));
  await untilGone(Number(readFileSync(join(dir, 'child'), 'utf8')));
});

t.test('a command that leaves a process behind ends at the limit, with its own exit code', async (t) => {
  const { path } = newCommand(t, 'sleep 1000 & exit 0');
  t.equal((await run(path, 2000)).failure, undefined);
});

t.test('control characters are escaped, and endless output is cut', async (t) => {
  t.strictSame((await run(newCommand(t, String.raw`printf 'a\033[2Jb\n'`).path)).lines, ['a\\x1b[2Jb']);
  const { failure, lines } = await run(newCommand(t, 'yes | head -c 10000000').path);
  t.equal(failure, undefined);
  t.ok(lines.join('\n').length <= 70_000);
  t.match(lines.at(-1), /more output is not shown/);
});
