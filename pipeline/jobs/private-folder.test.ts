import { spawnSync } from 'node:child_process';
import { chmodSync, lstatSync, mkdirSync, readdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Redis } from 'ioredis';
import t from 'tap';
import { shortDir } from '../testing/child-process.js';
import { accountsDirOf, openAccountsRedis } from './accounts-redis.js';
import { makePrivate } from './private-folder.js';

const modeOf = (path: string): number => lstatSync(path).mode & 0o777;

/** Returns the modes of a folder and everything in it, except sockets, by path. */
function modesIn(dir: string): Record<string, string> {
  const entries = readdirSync(dir, { recursive: true, withFileTypes: true });
  const paths = entries.filter((entry) => entry.isFile() || entry.isDirectory());
  const inside = paths.map(({ parentPath, name }) => join(parentPath, name));
  return Object.fromEntries([dir, ...inside].map((path) => [path, modeOf(path).toString(8)]));
}

t.test('an accounts folder that other users can read is made private at the next start', async (t) => {
  const outputDir = shortDir(t);
  const dir = accountsDirOf(outputDir);
  const lines: string[] = [];
  const open = () => openAccountsRedis({ redisUrl: undefined, outputDir, log: (line) => lines.push(line) });
  const umask = process.umask(0o022);
  t.teardown(() => process.umask(umask));
  const write = async (redis: Awaited<ReturnType<typeof open>>) => {
    const client = new Redis({ path: join(dir, 'redis.sock') });
    await client.set('account', '1');
    await client.save();
    await client.bgrewriteaof();
    client.disconnect();
    await redis.stop();
  };
  await write(await open());
  const first = modesIn(dir);
  t.ok(Object.keys(first).some((path) => path.endsWith('redis.log')));
  t.ok(Object.keys(first).some((path) => path.endsWith('dump.rdb')));
  t.ok(Object.keys(first).some((path) => path.includes('appendonlydir/')));
  for (const path of Object.keys(first)) {
    const mode = lstatSync(path).isDirectory() ? '700' : '600';
    t.equal(first[path], mode, `${path} of a new folder`);
    chmodSync(path, mode === '700' ? 0o755 : 0o644);
  }
  await write(await open());
  for (const [path, mode] of Object.entries(modesIn(dir)))
    t.equal(mode, lstatSync(path).isDirectory() ? '700' : '600', `${path} of an old folder`);
  t.same(lines, []);
  t.equal(process.umask(0o022), 0o022, 'the umask of this process is unchanged');
});

t.test('a symlink in the folder is not followed', (t) => {
  const dir = t.testdir({ accounts: {}, other: 'x' });
  chmodSync(join(dir, 'other'), 0o644);
  symlinkSync('../other', join(dir, 'accounts/link'));
  t.same(makePrivate(join(dir, 'accounts')), []);
  t.equal(modeOf(join(dir, 'other')), 0o644);
  t.end();
});

const skip = process.getuid?.() === 0 ? false : 'only root can make a folder of another user';

t.test('a mode that cannot be set is reported for each path', { skip }, (t) => {
  const dir = shortDir(t);
  const accounts = join(dir, 'accounts');
  chmodSync(dir, 0o755);
  mkdirSync(accounts);
  writeFileSync(join(accounts, 'redis.log'), '');
  chmodSync(accounts, 0o755);
  chmodSync(join(accounts, 'redis.log'), 0o644);
  const module = new URL('./private-folder.js', import.meta.url).href;
  const script = `
    const { makePrivate } = await import(${JSON.stringify(module)});
    process.setuid(65534);
    console.log(makePrivate(${JSON.stringify(accounts)}).join('\\n'));`;
  const { stdout } = spawnSync(process.execPath, ['--input-type=module', '-e', script], { encoding: 'utf8' });
  const [folder = '', file = '', ...rest] = stdout.trim().split('\n');
  t.match(
    folder,
    `warning: other users of this machine can access ${accounts}: cannot set its mode to 0700: E`,
  );
  t.match(file, `can access ${accounts}/redis.log: cannot set its mode to 0600: EPERM`);
  t.same(rest, []);
  t.end();
});
