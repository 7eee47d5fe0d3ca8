import { execFileSync, spawnSync } from 'node:child_process';
import { copyFileSync, existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { userInfo } from 'node:os';
import { join } from 'node:path';
import t from 'tap';
import { COMMAND_MODULES } from '../cli/commands.js';
import { shortDir } from '../testing/child-process.js';
import { environmentOf, PROJECT } from '../testing/command-line.js';

const FOLDER = join(PROJECT, 'pipeline/nights');
const textOf = (name: string): string => readFileSync(join(FOLDER, name), 'utf8');
const UNITS = readdirSync(FOLDER).filter((name) => /\.(service|timer)$/.test(name));
/** Where the units expect the project. */
const INSTALLED = '/opt/ipatlas/';

/** Returns whether a program is missing, as a reason to skip a test. */
function without(program: string): string | false {
  return spawnSync('which', [program]).status === 0 ? false : `${program} is missing`;
}

/** Returns what systemd says about units: nothing if they are valid. */
function verify(dir: string): string {
  const units = readdirSync(dir)
    .filter((name) => /\.(service|timer)$/.test(name))
    .map((name) => join(dir, name));
  const { status, stdout, stderr } = spawnSync('systemd-analyze', ['verify', '--man=no', ...units], {
    encoding: 'utf8',
  });
  return status === 0 ? stdout + stderr : `exit code ${status}\n${stdout}${stderr}`;
}

/** Copies the units with this machine's node as their program. */
function copyUnits(
  t: { teardown: (end: () => void) => unknown },
  change = (text: string): string => text,
): string {
  const dir = shortDir(t);
  for (const name of UNITS) {
    const text = textOf(name).replaceAll('/usr/bin/node', process.execPath);
    writeFileSync(join(dir, name), change(text));
  }
  return dir;
}

t.test('systemd accepts the units', { skip: without('systemd-analyze') }, (t) => {
  t.strictSame(UNITS.sort(), ['ipatlas-build.service', 'ipatlas-build.timer', 'ipatlas-serve.service']);
  t.equal(verify(copyUnits(t)), '');
  for (const [valid, invalid] of [
    ['ProtectSystem=strict', 'ProtectSystm=strict'],
    ['OnCalendar=*-*-* 02:15:00 UTC', 'OnCalendar=tonight'],
    ['ExecStart=', 'ExecStart=/no/such/program '],
  ] as const)
    t.not(verify(copyUnits(t, (text) => text.replace(valid, invalid))), '', invalid);
  t.end();
});

t.test('logrotate accepts its file', { skip: without('logrotate') }, (t) => {
  const { username, gid } = userInfo();
  const group = execFileSync('id', ['-gn'], { encoding: 'utf8' }).trim();
  t.ok(gid >= 0);
  const check = (text: string): string => {
    const path = join(shortDir(t), 'ipatlas');
    writeFileSync(path, text.replace('su ipatlas ipatlas', `su ${username} ${group}`), { mode: 0o644 });
    const { status, stderr } = spawnSync('logrotate', ['-d', path], { encoding: 'utf8' });
    return status === 0 ? (/^.*error:.*$/m.exec(stderr)?.[0] ?? '') : `exit code ${status}\n${stderr}`;
  };
  t.equal(check(textOf('ipatlas.logrotate')), '');
  t.match(check(textOf('ipatlas.logrotate').replace('weekly', 'wekly')), /wekly/);
  t.end();
});

t.test('the line of cron runs a build with the settings of ipatlas.env', (t) => {
  const dir = shortDir(t);
  mkdirSync(join(dir, 'log'));
  writeFileSync(
    join(dir, 'ipatlas.env'),
    textOf('ipatlas.env')
      .replace('FEEDS=live', 'FEEDS=')
      .replace(/OUTPUT=.*/, `OUTPUT=${dir}/output`),
  );
  const lines = textOf('ipatlas.cron')
    .split('\n')
    .filter((line) => /^[0-9*]/.test(line));
  t.equal(lines.length, 1);
  const [, command = ''] = /^(?:\S+ ){5}ipatlas (.*)$/.exec(lines[0]!) ?? [];
  t.notMatch(command, '%', 'cron would end the line there');
  const here = command
    .replace(INSTALLED.slice(0, -1), `'${PROJECT}'`)
    .replace('/etc/ipatlas.env', `${dir}/ipatlas.env`)
    .replace('/var/log/ipatlas', `${dir}/log`);
  const { status } = spawnSync('/bin/sh', ['-c', here], { env: { ...environmentOf({}), NODE_OPTIONS: '' } });
  t.equal(status, 0);
  t.match(readFileSync(join(dir, 'log/build.log'), 'utf8'), /^Published /m);
  t.ok(existsSync(join(dir, 'output/current/geo.mmdb')));
  t.end();
});

t.test('the files name only variables, commands and paths that exist', (t) => {
  const names = readdirSync(FOLDER).filter((name) => !name.endsWith('.ts'));
  const commands = new Set<string>(COMMAND_MODULES.flatMap(({ names }) => names));
  for (const name of names) {
    const text = textOf(name);
    for (const [, path] of text.matchAll(/\/opt\/ipatlas\/([\w./-]*[\w/])(?![\w*-])/g))
      t.ok(existsSync(join(PROJECT, path!)), `${name}: ${path!}`);
    for (const [, command] of text.matchAll(/(?:main\.js|^ipatlas|`ipatlas) ([a-z-]+)/gm))
      t.ok(commands.has(command!), `${name}: ipatlas ${command!}`);
  }
  const guides = ['pipeline/README.md', 'server/README.md'].map((guide) =>
    readFileSync(join(PROJECT, guide), 'utf8'),
  );
  const known = guides.join('\n');
  const set = [...textOf('ipatlas.env').matchAll(/^#?([A-Z0-9_]+)=/gm)].map(([, variable]) => variable!);
  t.ok(set.length > 10);
  for (const variable of set) t.match(known, `\n| \`${variable}\` |`);
  t.end();
});

t.test('the guide has every exit code of the command, and only metrics that the server has', (t) => {
  const guide = textOf('README.md');
  const help = spawnSync(process.execPath, [join(PROJECT, 'dist/pipeline/main.js'), '--help'], {
    encoding: 'utf8',
    env: { ...process.env, NODE_OPTIONS: '' },
  }).stdout;
  const codes = [...help.slice(help.indexOf('Exit codes:')).matchAll(/^ {2}(\d+) /gm)].map(
    ([, code]) => code!,
  );
  t.ok(codes.length >= 5);
  for (const code of codes) t.match(guide, new RegExp(`^\\| ${code} \\| `, 'm'), `exit code ${code}`);
  const metrics = readFileSync(join(PROJECT, 'server/README.md'), 'utf8');
  const named = [...guide.matchAll(/`(ipatlas_[a-z_]+)/g)].map(([, metric]) => metric!);
  t.ok(named.length >= 5);
  for (const metric of named) t.match(metrics, `| \`${metric}\` |`);
  t.end();
});

t.test('ipatlas.env is read by sh without errors', (t) => {
  const dir = shortDir(t);
  copyFileSync(join(FOLDER, 'ipatlas.env'), join(dir, 'env'));
  const output = execFileSync('sh', ['-euc', `set -a; . ${dir}/env; echo "$FEEDS $OUTPUT"`], {
    encoding: 'utf8',
  });
  t.equal(output, 'live /var/lib/ipatlas\n');
  t.end();
});
