import { spawn } from 'node:child_process';
import { createServer, type AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Lifetime } from './lifetime.js';
import { probe } from '../redis-connection.js';

/** A Redis on a port of loopback, as REDIS_URL would name it, gone when the test ends. */
export async function newRedisForTest(t: Lifetime): Promise<{ url: string; pid: number }> {
  const port = await freePort();
  const child = spawn('redis-server', ['--port', String(port), '--bind', '127.0.0.1', '--save', ''], {
    stdio: 'ignore',
  });
  t.teardown(() => child.kill('SIGKILL'));
  const url = `redis://127.0.0.1:${port}`;
  for (;;) {
    const pid = await probe({ url }).catch(() => undefined);
    if (pid !== undefined) return { url, pid };
    await sleep(20);
  }
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await new Promise((resolve) => server.once('listening', resolve));
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return port;
}
