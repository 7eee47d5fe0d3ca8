import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import t, { type Test } from 'tap';
import { plainNode } from './child-process.js';

/** Runs test files together in a separate process. */
function together(t: Test, files: Readonly<Record<string, string>>): { code: number | null; output: string } {
  const modules = Object.fromEntries(
    Object.entries(files).map(([name, text]) => [name, `import t from 'tap';\n${text}`]),
  );
  const list = Object.keys(files).map(
    (name) => `{ name: '${name}', url: new URL('${name}', import.meta.url).href }`,
  );
  const runner = new URL('run-together.js', import.meta.url).href;
  const dir = t.testdir({
    ...modules,
    'group.js': `import { runTogether } from '${runner}';
await runTogether([${list.join(', ')}], new URL('figures.txt', import.meta.url));`,
  });
  const [command, args] = plainNode(join(dir, 'group.js'));
  const env = { ...process.env, TAP_TIMEOUT: '20' };
  const { status, stdout } = spawnSync(command, args, { encoding: 'utf8', env });
  return { code: status, output: stdout };
}

t.test('each file is a subtest with its name, and its teardown runs before the next file', (t) => {
  const { code, output } = together(t, {
    'a.js': `t.teardown(() => console.log('# a is torn down'));
t.test('first', async (t) => { await new Promise((r) => setTimeout(r, 50)); t.pass(); });
t.test('second', (t) => { t.pass(); t.end(); });`,
    'b.js': `t.ok(true, 'at the top'); console.log('# b begins');`,
  });
  t.equal(code, 0, 'exit code', { output });
  t.match(output, /^# Subtest: a\.js\n {4}# Subtest: first\n {8}ok 1[^]*^ {4}# Subtest: second\n/m);
  t.match(output, /^ok 1 - a\.js/m);
  t.match(output, /^# Subtest: b\.js\n {4}ok 1 - at the top\n[^]*^ok 2 - b\.js/m);
  t.ok(output.indexOf('# a is torn down') < output.indexOf('# b begins'));
  const figures = readFileSync(join(t.testdirName, 'figures.txt'), 'utf8');
  t.match(figures, /^\d+\.\d\d a\.js\n\d+\.\d\d b\.js\n$/);
  t.end();
});

t.test(
  'a file that fails, throws, has no tests or does not exist fails the run; the others still run',
  (t) => {
    const good = `t.test('good', (t) => { t.pass(); t.end(); });`;
    const bad: Readonly<Record<string, RegExp>> = {
      [`t.test('wrong', (t) => { t.equal(1, 2); t.end(); });`]: /^not ok 1 - bad\.js/m,
      [`t.ok(false);`]: /^not ok 1 - bad\.js/m,
      [`throw new Error('on import');`]: /^ {4}not ok 1 - on import$/m,
      [`t.test('late', () => Promise.reject(new Error('rejected')));`]: /not ok 1 - rejected$/m,
      [`t.teardown(() => { throw new Error('at the end'); });\n${good}`]: /not ok \d+ - at the end$/m,
      ['']: /^not ok \d+ - bad\.js has no tests$/m,
    };
    for (const [text, message] of Object.entries(bad)) {
      const { code, output } = together(t, { 'bad.js': text, 'good.js': good });
      t.equal(code, 1, text);
      t.match(output, message);
      t.match(output, /^ok \d+ - good\.js/m);
    }
    t.end();
  },
);

t.test('a process that ends in the middle of a file fails the run', (t) => {
  const { code, output } = together(t, {
    'a.js': `t.test('ends', () => process.exit(0));`,
    'b.js': `t.pass();`,
  });
  t.equal(code, 1, 'exit code', { output });
  t.match(output, /^not ok 1 - a\.js/m);
  t.end();
});
