import { execFileSync } from 'node:child_process';
import { chownSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import t, { type Test } from 'tap';
import { PROJECT_ROOT } from '../../fixtures/open-file.js';
import { exportCsv } from './csv.js';
import { openDataset } from './dataset.js';
import { networksOf } from './networks.js';
import { writeDatasets } from './testing/small-datasets.js';

const PROGRAMS = '/usr/lib/postgresql';
const EXTENSIONS = '/usr/share/postgresql';

/** The newest installed version of Debian's PostgreSQL that has ip4r; absent without one. */
const version = (existsSync(PROGRAMS) ? readdirSync(PROGRAMS) : [])
  .filter((name) => existsSync(join(EXTENSIONS, name, 'extension/ip4r.control')))
  .sort((a, b) => Number(b) - Number(a))[0];
const skip = version === undefined ? 'postgresql and its ip4r are not installed' : false;

/** PostgreSQL does not run as root: then it runs as the user that its package has created. */
function owner(): { readonly uid?: number; readonly gid?: number } {
  if (process.getuid?.() !== 0) return {};
  const idOf = (flag: string): number => Number(execFileSync('id', [flag, 'postgres'], { encoding: 'utf8' }));
  return { uid: idOf('-u'), gid: idOf('-g') };
}

/** Starts a server on a Unix socket in a folder of its own. Returns a function that runs SQL and returns unaligned rows. */
function startServer(t: Test): { readonly dir: string; readonly run: (sql: string) => string[] } {
  const user = owner();
  const dir = mkdtempSync(join(tmpdir(), 'ipatlas-pg-'));
  if (user.uid !== undefined) chownSync(dir, user.uid, user.gid!);
  const cluster = join(dir, 'data');
  const call = (program: string, args: readonly string[], input = ''): string =>
    execFileSync(join(PROGRAMS, version!, 'bin', program), args, {
      ...user,
      input,
      cwd: dir,
      encoding: 'utf8',
      stdio: ['pipe', 'pipe', 'pipe'],
    });
  t.teardown(() => {
    if (existsSync(join(cluster, 'postmaster.pid')))
      call('pg_ctl', ['-D', cluster, '-m', 'immediate', '-w', 'stop']);
    rmSync(dir, { recursive: true, force: true });
  });
  call('initdb', [
    '-D',
    cluster,
    '-A',
    'trust',
    '-U',
    'postgres',
    '-E',
    'UTF8',
    '--locale=C.UTF-8',
    '--no-sync',
  ]);
  const options = `-c listen_addresses='' -c fsync=off -k ${dir}`;
  call('pg_ctl', ['-D', cluster, '-l', join(dir, 'log'), '-o', options, '-w', 'start']);
  const psql = ['-X', '-q', '-A', '-t', '-v', 'ON_ERROR_STOP=1', '-h', dir, '-U', 'postgres'];
  return { dir, run: (sql) => call('psql', psql, sql).split('\n').filter(Boolean) };
}

t.test('PostgreSQL loads a CSV file and finds addresses with the SQL of the guide', { skip }, async (t) => {
  const folder = t.testdir();
  writeDatasets(folder);
  const { dir, run } = startServer(t);
  const dataset = await openDataset(join(folder, 'asn.mmdb'));
  const source = { dataset, networks: () => networksOf(dataset) };
  const [written] = await exportCsv(source, join(dir, 'asn.csv'), { ranges: false, comments: false });
  const guide = readFileSync(join(PROJECT_ROOT, 'pipeline/export/README.md'), 'utf8');
  const [, load, select] = /```sql\n(CREATE EXTENSION .*?)(SELECT .*?;)\n```/s.exec(guide)!;
  run(load!);
  const find = (ip: string): string[] => run(select!.replace('8.8.8.8', ip));
  t.same(run('SELECT count(*) FROM asn;'), [String(written!.rows)]);
  t.same(find('8.8.8.8'), ['8.8.8.0/24|15169|Google LLC']);
  t.same(find('8.8.9.0'), ['8.8.9.0/24|3356|Level 3']);
  t.same(find('1.0.0.128'), []);
  t.same(find('2001:4860::8888'), ['2001:4860::/32|15169|Google LLC']);
});
