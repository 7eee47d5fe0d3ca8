import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Redis } from 'ioredis';
import t, { type Test } from 'tap';
import { accountsDirOf, openAccountsRedis } from './accounts-redis.js';
import { probe } from './redis-connection.js';
import { startModule } from './testing/child-process.js';
import { isAlive, shortDir, untilGone } from '../testing/child-process.js';

const open = (outputDir: string, log: (line: string) => void = () => undefined) =>
  openAccountsRedis({ redisUrl: undefined, outputDir, log });
const socketOf = (outputDir: string) => join(accountsDirOf(outputDir), 'redis.sock');

/** Starts a process that uses the Redis of a folder. */
function startUser(t: Test, outputDir: string) {
  const user = startModule(t, ['./hold-accounts.js', outputDir]);
  const leave = () => {
    user.child.stdin?.end();
    return user.ended;
  };
  return { ...user, leave, entered: user.saw('uses ') };
}

t.test('REDIS_URL is used unchanged, and printed without its password', async (t) => {
  const redis = await openAccountsRedis({
    redisUrl: 'redis://user:secret@127.0.0.1:1/2',
    outputDir: '/nowhere',
    log: () => undefined,
  });
  t.same(redis.address, { url: 'redis://user:secret@127.0.0.1:1/2' });
  t.equal(redis.name, 'redis://127.0.0.1:1/2');
  await redis.stop();
});

t.test('data is kept after all processes have left', async (t) => {
  const dir = shortDir(t);
  const first = await open(dir);
  const client = new Redis({ path: socketOf(dir) });
  await client.set('account', '17');
  client.disconnect();
  const pid = await probe({ socketPath: socketOf(dir) });
  await first.stop();
  await first.stop();
  t.notOk(isAlive(pid));
  t.notOk(existsSync(socketOf(dir)));
  const second = await open(dir);
  const again = new Redis({ path: socketOf(dir) });
  t.equal(await again.get('account'), '17');
  again.disconnect();
  await second.stop();
});

t.test('decision 70: the private server has a limit of memory and evicts nothing', async (t) => {
  const dir = shortDir(t);
  const redis = await open(dir);
  const client = new Redis({ path: socketOf(dir) });
  t.match(await client.info('memory'), /\nmaxmemory:536870912\r\n[^]*\nmaxmemory_policy:noeviction\r\n/);
  client.disconnect();
  await redis.stop();
});

t.test('processes share one server, and the last to leave stops it', async (t) => {
  const dir = shortDir(t);
  const users = Array.from({ length: 4 }, () => startUser(t, dir));
  await Promise.all(users.map(({ entered }) => entered));
  const pid = await probe({ socketPath: socketOf(dir) });
  await users[1]!.leave();
  t.equal(await probe({ socketPath: socketOf(dir) }), pid);
  await Promise.all([users[0]!.leave(), users[2]!.leave()]);
  t.equal(await probe({ socketPath: socketOf(dir) }), pid, 'the server still runs for the fourth process');
  t.equal((await users[3]!.leave()).code, 0);
  t.notOk(isAlive(pid));
});

t.test('two processes that leave at the same time stop the server', async (t) => {
  const dir = shortDir(t);
  for (let round = 0; round < 5; round++) {
    const [one, other] = await Promise.all([open(dir), open(dir)]);
    const pid = await probe({ socketPath: socketOf(dir) });
    await Promise.all([one.stop(), other.stop()]);
    t.notOk(isAlive(pid), `round ${round}`);
  }
});

t.test('the server of killed processes is adopted and stopped by the next one', async (t) => {
  const dir = shortDir(t);
  const users = [startUser(t, dir), startUser(t, dir)];
  await Promise.all(users.map(({ entered }) => entered));
  const pid = await probe({ socketPath: socketOf(dir) });
  for (const { child } of users) child.kill('SIGKILL');
  await Promise.all(users.map(({ ended }) => ended));
  t.ok(isAlive(pid));
  const next = await open(dir);
  t.equal(await probe({ socketPath: socketOf(dir) }), pid);
  await next.stop();
  t.notOk(isAlive(pid));
});

t.test('a server that has ended is started again by the next process', async (t) => {
  const dir = shortDir(t);
  const first = await open(dir);
  const pid = await probe({ socketPath: socketOf(dir) });
  process.kill(pid, 'SIGKILL');
  await untilGone(pid);
  const second = await open(dir);
  t.not(await probe({ socketPath: socketOf(dir) }), pid);
  await first.stop();
  t.ok(await probe({ socketPath: socketOf(dir) }), 'the server still runs for the second process');
  await second.stop();
});

t.test('a damaged log is an error and is not moved, because it contains the accounts', async (t) => {
  const dir = shortDir(t);
  await (await open(dir)).stop();
  const files = join(accountsDirOf(dir), 'appendonlydir');
  for (const name of readdirSync(files)) writeFileSync(join(files, name), 'this is no log of Redis\n');
  const lines: string[] = [];
  await t.rejects(
    open(dir, (line) => lines.push(line)),
    { name: 'RedisDamagedError', message: /could not read its files in .*accounts: / },
  );
  t.match(lines, [/^accounts, keys and credits are in .*accounts; nothing was changed$/]);
  for (const name of readdirSync(files)) {
    t.equal(readFileSync(join(files, name), 'utf8'), 'this is no log of Redis\n');
  }
  t.notOk(existsSync(`${accountsDirOf(dir)}.damaged`));
});
