import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import t from 'tap';
import { joinRedis, openRedis } from './open-redis.js';
import { probe } from './redis-connection.js';
import { RedisMissingError } from './redis-errors.js';
import { startModule } from './testing/child-process.js';
import { isAlive, shortDir } from '../testing/child-process.js';

const open = (outputDir: string, log: (line: string) => void = () => undefined) =>
  openRedis({ redisUrl: undefined, outputDir, log });
const openUrl = (redisUrl: string) => openRedis({ redisUrl, outputDir: '/nowhere', log: () => undefined });

t.test('a private server responds on a socket in its folder and has ended after stop', async (t) => {
  const dir = join(shortDir(t), 'a folder');
  const redis = await open(dir);
  const socketPath = join(dir, 'redis', 'redis.sock');
  t.equal(redis.name, socketPath);
  const pid = await probe({ socketPath });
  await redis.stop();
  t.notOk(isAlive(pid));
  t.notOk(existsSync(socketPath));
});

t.test('if the path of a folder is too long for a socket, the socket is in a temporary folder', async (t) => {
  const dir = join(shortDir(t), 'x'.repeat(110));
  const redis = await open(dir);
  t.equal(readFileSync(join(dir, 'redis', 'redis.sock.path'), 'utf8'), redis.name);
  const joined = await joinRedis({ redisUrl: undefined, outputDir: dir });
  t.equal(joined.name, redis.name);
  await joined.stop();
  await redis.stop();
  t.notOk(existsSync(redis.name));
  t.notOk(existsSync(join(dir, 'redis', 'redis.sock.path')));
});

t.test('the server of a killed run is adopted, and stopped by the run that adopted it', async (t) => {
  const dir = shortDir(t);
  const holder = startModule(t, ['./hold-process.js', 'redis', dir]);
  await holder.saw('held');
  const socketPath = join(dir, 'redis', 'redis.sock');
  const pid = await probe({ socketPath });
  holder.child.kill('SIGKILL');
  await holder.ended;
  const redis = await open(dir);
  t.equal(await probe({ socketPath }), pid);
  await redis.stop();
  t.notOk(isAlive(pid));
});

t.test('the socket of a killed server is removed', async (t) => {
  const dir = shortDir(t);
  const socketPath = join(dir, 'redis', 'redis.sock');
  const first = await open(dir);
  const pid = await probe({ socketPath });
  process.kill(pid, 'SIGKILL');
  t.match(await first.lost, { name: 'RedisLostError', message: `Redis at ${socketPath} was lost` });
  t.ok(existsSync(socketPath));
  const second = await open(dir);
  t.not(await probe({ socketPath }), pid);
  await second.stop();
  await first.stop();
});

t.test('damaged files of the server are moved aside with a message, and it starts empty', async (t) => {
  const dir = shortDir(t);
  await (await open(dir)).stop();
  const files = join(dir, 'redis', 'appendonlydir');
  for (const name of readdirSync(files)) writeFileSync(join(files, name), 'this is no log of Redis\n');
  const lines: string[] = [];
  const redis = await open(dir, (line) => lines.push(line));
  t.equal(lines.length, 1);
  t.match(lines[0], /^the private Redis could not read its files .* they were moved to .*redis\.damaged$/);
  t.ok(existsSync(join(dir, 'redis.damaged', 'appendonlydir')));
  await redis.stop();
});

t.test('the error for a missing redis-server is one line with what to install', async (t) => {
  const holder = startModule(t, ['./hold-process.js', 'redis', shortDir(t)], { PATH: '' });
  const { code, output } = await holder.ended;
  t.equal(code, 1);
  t.match(
    output,
    /^RedisMissingError: redis-server is not installed: run "(apt-get|brew) install .*REDIS_URL.*\n$/,
  );
  t.match(new RedisMissingError('darwin').message, 'brew install redis');
  t.match(new RedisMissingError('linux').message, 'apt-get install redis-server');
});

t.test('the error for a URL without a server does not contain the password', async (t) => {
  await t.rejects(openUrl('redis://user:secret@127.0.0.1:1/2'), {
    name: 'RedisUnreachableError',
    message: 'no Redis at redis://127.0.0.1:1/2: connect ECONNREFUSED 127.0.0.1:1',
  });
});

t.test('a server that accepts the connection but never responds times out', async (t) => {
  const server = createServer(() => undefined).listen(0, '127.0.0.1');
  await new Promise((resolve) => server.once('listening', resolve));
  const { port } = server.address() as AddressInfo;
  await t.rejects(openUrl(`redis://127.0.0.1:${port}`), { name: 'RedisUnreachableError' });
  server.close();
});

t.test('a server that answers with HTTP is not a Redis', async (t) => {
  const server = createServer((socket) => socket.end('HTTP/1.1 400 Bad Request\r\n\r\n')).listen(
    0,
    '127.0.0.1',
  );
  await new Promise((resolve) => server.once('listening', resolve));
  const { port } = server.address() as AddressInfo;
  await t.rejects(openUrl(`redis://127.0.0.1:${port}`), { name: 'RedisUnreachableError' });
  server.close();
});

t.test('joining fails if no build is running', async (t) => {
  await t.rejects(joinRedis({ redisUrl: undefined, outputDir: shortDir(t) }), {
    name: 'RedisUnreachableError',
    message: /^no build is running in /,
  });
});
