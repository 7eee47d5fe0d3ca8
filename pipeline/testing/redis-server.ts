import assert from 'node:assert';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { connect } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Lifetime } from './lifetime.js';
import { freePort } from './free-port.js';

/** Starts a Redis on a free port of the loopback, and of another address. It is killed when the test ends. */
export async function newRedisForTest(
  t: Lifetime,
  address = '127.0.0.1',
): Promise<{ url: string; pid: number }> {
  const port = await freePort();
  const addresses = address === '127.0.0.1' ? [address] : ['127.0.0.1', address];
  const options = ['--port', String(port), '--bind', ...addresses, '--protected-mode', 'no', '--save', ''];
  const child = spawn('redis-server', options, { stdio: 'ignore' });
  t.teardown(() => child.kill('SIGKILL'));
  await once(child, 'spawn');
  const { pid } = child;
  assert(pid !== undefined);
  while (!(await answersPing(port))) {
    assert(child.exitCode === null, `redis-server ended with ${child.exitCode}`);
    await sleep(20);
  }
  return { url: `redis://${address}:${port}`, pid };
}

/** Returns whether a Redis on this port responds to PING, sent in the inline form of its protocol. */
function answersPing(port: number): Promise<boolean> {
  const socket = connect(port, '127.0.0.1');
  const answer = new Promise<boolean>((resolve) => {
    socket.once('connect', () => socket.write('PING\r\n'));
    socket.once('data', (bytes) => {
      resolve(bytes.toString().startsWith('+PONG'));
    });
    socket.once('error', () => {
      resolve(false);
    });
  });
  return answer.finally(() => socket.destroy());
}
