import { execFileSync, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { chownSync, cpSync, existsSync, mkdirSync, readdirSync, readFileSync } from 'node:fs';
import { realpathSync, renameSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import t, { type Test } from 'tap';
import { shortDir } from '../testing/child-process.js';
import { PROJECT } from '../testing/command-line.js';
import { startModule } from './testing/child-process.js';

const hasApt = ['apt-get', 'dpkg-deb', 'ldd', 'redis-server'].every(
  (program) => spawnSync('which', [program]).status === 0,
);
const skip = hasApt ? false : 'apt-get, dpkg-deb, ldd or redis-server is missing';
const which = (program: string): string => execFileSync('which', [program], { encoding: 'utf8' }).trim();

/** The programs that the script uses. Neither redis-server nor sudo is among them. */
const TOOLS =
  'bash sh apt-get dpkg dpkg-deb awk find mktemp rm mv mkdir dirname readlink sort paste cat chmod ln tail id tar';
/** An ordinary user; a test that is not run by root is one already. */
const ORDINARY_USER = process.getuid?.() === 0 ? { uid: 65_534, gid: 65_534 } : {};

/** A project folder with the script, in which a machine without Redis, and with this repository, is imitated. */
function newMachine(t: Test, { repository = '' }): { root: string; install: () => ReturnType<typeof run> } {
  const root = shortDir(t);
  for (const name of ['.ci', 'bin', 'lists', 'output']) mkdirSync(join(root, name));
  cpSync(join(PROJECT, '.ci/install-redis'), join(root, '.ci/install-redis'));
  for (const tool of TOOLS.split(' ')) symlinkSync(which(tool), join(root, 'bin', tool));
  writeFileSync(join(root, 'status'), '');
  writeFileSync(join(root, 'sources.list'), repository && `deb [trusted=yes] copy:${repository} ./\n`);
  const settings = [
    `Dir::State::status "${root}/status"; Dir::State::lists "${root}/lists"; Dir::Etc::sourceparts "-";`,
    `Dir::Etc::sourcelist "${root}/sources.list"; APT::Sandbox::User "";`,
  ];
  writeFileSync(join(root, 'apt.conf'), settings.join('\n'));
  if (ORDINARY_USER.uid !== undefined)
    for (const path of ['', 'output', 'lists'])
      chownSync(join(root, path), ORDINARY_USER.uid, ORDINARY_USER.gid);
  return { root, install: () => run(root) };
}

function run(root: string): { code: number | null; stdout: string; stderr: string } {
  const env = { PATH: join(root, 'bin'), APT_CONFIG: join(root, 'apt.conf'), TMPDIR: root };
  const bash = join(root, 'bin/bash');
  const ended = spawnSync(bash, [join(root, '.ci/install-redis')], {
    ...ORDINARY_USER,
    env,
    encoding: 'utf8',
  });
  return { code: ended.status, stdout: ended.stdout, stderr: ended.stderr };
}

/** Creates a repository whose package `redis-server` has this machine's Redis and its libraries. */
function newRepository(t: Test): string {
  const dir = shortDir(t);
  const tree = join(dir, 'tree');
  for (const name of ['DEBIAN', 'usr/bin', 'usr/lib/redis']) mkdirSync(join(tree, name), { recursive: true });
  const program = realpathSync(which('redis-server'));
  cpSync(program, join(tree, 'usr/bin/redis-server'));
  const libraries = execFileSync('ldd', [program], { encoding: 'utf8' }).match(/\/\S*(jemalloc|lzf|lua)\S*/g);
  for (const path of libraries ?? []) cpSync(realpathSync(path), join(tree, 'usr/lib/redis', basename(path)));
  const architecture = execFileSync('dpkg', ['--print-architecture'], { encoding: 'utf8' }).trim();
  const control = `Package: redis-server\nVersion: 1\nArchitecture: ${architecture}\nMaintainer: a <a@example.com>\n`;
  writeFileSync(join(tree, 'DEBIAN/control'), `${control}Description: Redis of this machine\n`);
  const file = join(dir, 'redis-server.deb');
  execFileSync('dpkg-deb', ['-Znone', '--root-owner-group', '--build', tree, file], { stdio: 'ignore' });
  const sha256 = createHash('sha256').update(readFileSync(file)).digest('hex');
  const index = `${control}Filename: ./redis-server.deb\nSize: ${statSync(file).size}\nSHA256: ${sha256}\n`;
  writeFileSync(join(dir, 'Packages'), `${index}Description: Redis of this machine\n`);
  execFileSync('chmod', ['-R', 'a+rX', dir]);
  return dir;
}

t.test('an ordinary user without sudo gets a redis-server in the output folder', { skip }, async (t) => {
  const { root, install } = newMachine(t, { repository: newRepository(t) });
  const { code, stdout, stderr } = install();
  t.equal(code, 0, stderr);
  t.match(stdout, /^Unpacking redis-server into .*output\/redis-server \(apt-get download\) …$/m);
  t.strictSame(readdirSync(join(root, 'output')), ['redis-server'], 'no temporary folder is left');
  t.strictSame(readdirSync(join(root, 'output/redis-server')).sort(), ['redis-server', 'root']);
  t.same(install(), { code: 0, stdout: '', stderr: '' }, 'the second run does nothing');

  const moved = join(root, 'moved');
  renameSync(join(root, 'output'), moved);
  const holder = startModule(t, ['./hold-process.js', 'redis', moved], { PATH: '' });
  await holder.saw('held');
  t.ok(existsSync(join(moved, 'redis/redis.sock')), 'a build finds it without PATH, also in a moved folder');
  holder.child.kill('SIGTERM');
  await holder.ended;
});

t.test('valkey-server takes the place of redis-server', { skip }, async (t) => {
  const { root, install } = newMachine(t, {});
  symlinkSync(which('redis-server'), join(root, 'bin/valkey-server'));
  t.same(install(), { code: 0, stdout: '', stderr: '' });
  t.match(
    execFileSync(join(root, 'output/redis-server/redis-server'), ['--version'], { encoding: 'utf8' }),
    'v=',
  );
  const holder = startModule(t, ['./hold-process.js', 'redis', shortDir(t)], { PATH: join(root, 'bin') });
  await holder.saw('held');
  holder.child.kill('SIGTERM');
  await holder.ended;
});

t.test('where no package can be had, the last line says what to run', { skip }, (t) => {
  const { root, install } = newMachine(t, {});
  const { code, stderr } = install();
  t.equal(code, 1);
  t.match(
    stderr.trimEnd().split('\n').at(-1),
    /^Redis is missing: run "sudo apt-get install redis-server", or .* or set REDIS_URL to a running Redis\.$/,
  );
  t.strictSame(readdirSync(join(root, 'output')), [], 'nothing is left behind');
  t.end();
});
