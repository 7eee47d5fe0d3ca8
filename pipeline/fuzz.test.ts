import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import t from 'tap';

const FUZZ = fileURLToPath(new URL('fuzz.js', import.meta.url));

function fuzz(...args: readonly string[]) {
  return spawnSync(process.execPath, [FUZZ, ...args], { encoding: 'utf8' });
}

t.test('options that are not understood are usage errors', (t) => {
  const messages = {
    'unknown target "nothing"': ['--only', 'mrt', '--only', 'nothing'],
    '--input needs one target, not mmdb/verify, mmdb/read': ['--only', 'mmdb', '--input', '3'],
    'invalid --inputs "many": expected a number': ['--inputs', 'many'],
    "Unknown option '--bogus'": ['--bogus'],
  };
  for (const [message, args] of Object.entries(messages)) {
    const { status, stdout, stderr } = fuzz(...args);
    t.same([status, stdout], [64, ''], message);
    t.ok(stderr.startsWith(message), stderr);
    t.match(stderr, /Usage: make fuzz/);
  }
  t.end();
});

t.test('a run prints one line for a target, and the number of inputs', (t) => {
  const { status, stdout, stderr } = fuzz('--only', 'mrt', '--inputs', '3');
  t.same([status, stderr], [0, '']);
  t.match(stdout, /^target .*\nmrt +3 +0 +0 +0 +\d+ +\d+\n3 inputs\n$/);
  t.end();
});
