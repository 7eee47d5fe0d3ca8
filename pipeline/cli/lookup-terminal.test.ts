import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import t from 'tap';
import { smallFolder } from '../lookup/testing/small-folder.js';
import { plainNode } from '../testing/child-process.js';
import { environmentOf, PROJECT } from '../testing/command-line.js';

const MAIN = join(PROJECT, 'dist/pipeline/main.js');

/**
 * Runs a line of bash in which `lookup …` is the command. It is a program on the path, not a function: a shell between
 * may be dash, which passes no functions of bash on.
 */
function bash(folder: string, line: string): { status: number | null; stdout: string; stderr: string } {
  const [command, args] = plainNode(MAIN, 'lookup', '--output', folder);
  const words = [command, ...args].map((word) => `'${word}'`).join(' ');
  writeFileSync(join(folder, 'lookup'), `#!/bin/sh\nexec ${words} "$@"\n`, { mode: 0o755 });
  const env = environmentOf({ PATH: `${folder}:${process.env['PATH'] ?? ''}` });
  return spawnSync('bash', ['-c', `set -o pipefail; ${line}`], { encoding: 'utf8', env, cwd: folder });
}

const withoutScript =
  spawnSync('script', ['--version']).status === 0 ? false : 'script of util-linux is not installed';

t.test('a terminal shows the progress, and at the end only the summary', { skip: withoutScript }, (t) => {
  const folder = smallFolder(t);
  writeFileSync(join(folder, 'in.txt'), '8.8.8.8\nbad\n'.repeat(400_000));
  // A new pseudo terminal has no size.
  const command = 'stty cols 80 rows 24; lookup --input in.txt --fields asn >out.csv';
  const line = `export TERM=xterm; script -qec 'bash -c "${command}"' /dev/null`;
  const { stdout } = bash(folder, line);
  t.match(stdout, /lookup +\d+ % {2}█*░* +[\d,]+ lines, [\d,]+ lines\/s, [\d,]+ bad/);
  // The progress line is erased (ECMA-48 EL) before the summary.
  const afterLast = stdout.slice(stdout.lastIndexOf('\u001b['));
  t.notMatch(afterLast, / lines\/s, [\d,]+ bad/);
  t.match(stdout, /800,000 lines: 400,000 found, 0 without data, 400,000 bad; first bad line 2: "bad"/);
  t.end();
});

t.test('without a terminal there is no progress', (t) => {
  const folder = smallFolder(t);
  writeFileSync(join(folder, 'in.txt'), '8.8.8.8\n'.repeat(200_000));
  const { stderr, status } = bash(folder, 'lookup --input in.txt --fields asn | tail -n 1');
  t.match(stderr, /^200,000 lines: 200,000 found, 0 without data, 0 bad\n[\d.]+ s, [\d,]+ lines\/s\n$/);
  t.equal(status, 0);
  t.end();
});

t.test('a reader that stops early ends lookup quietly', (t) => {
  const folder = smallFolder(t);
  writeFileSync(join(folder, 'in.txt'), '8.8.8.8\n'.repeat(400_000));
  const { stdout, stderr, status } = bash(folder, 'lookup --input in.txt --fields asn | head -n 2');
  t.equal(stdout, 'ip,asn\n8.8.8.8,15169\n');
  t.notMatch(stderr, /EPIPE|Error|at .*:\d+/i);
  t.equal(status, 0);
  t.end();
});
