import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { connect } from 'node:net';
import { createRequire } from 'node:module';
import { setTimeout as sleep } from 'node:timers/promises';
import { plainNode } from './child-process.js';
import { freePort } from './free-port.js';
import type { Lifetime } from './lifetime.js';

/** The credentials that the S3 server accepts, as variables of the SDK. */
export const S3_CREDENTIALS = { AWS_ACCESS_KEY_ID: 'S3RVER', AWS_SECRET_ACCESS_KEY: 'S3RVER' } as const;

/** Name of the server's bucket. */
export const S3_BUCKET = 'atlas';

/** A server of its own process that speaks S3. */
export interface S3Server {
  readonly port: number;
  /** Kills the process. Its objects stay in its folder. */
  kill(): Promise<void>;
  /** Starts the process again, on the same port. */
  start(): Promise<void>;
}

/** Starts an S3 server (the package s3rver) on a free loopback port, with an empty bucket in a folder. */
export async function newS3ServerForTest(t: Lifetime, dir: string): Promise<S3Server> {
  const port = await freePort();
  let child: ChildProcess | undefined;
  const server: S3Server = {
    port,
    kill: async () => {
      if (!child || child.exitCode !== null || child.signalCode !== null) return;
      const ended = once(child, 'exit');
      child.kill('SIGKILL');
      await ended;
    },
    start: async () => {
      const options = ['--silent', '--directory', dir, '--port', String(port), '--address', '127.0.0.1'];
      child = spawn(...plainNode(S3RVER, ...options, '--configure-bucket', S3_BUCKET), { stdio: 'ignore' });
      while (!(await accepts(port))) {
        if (child.exitCode !== null) throw new Error(`s3rver ended with ${child.exitCode}`);
        await sleep(20);
      }
    },
  };
  t.teardown(() => server.kill());
  await server.start();
  return server;
}

const S3RVER = createRequire(import.meta.url).resolve('s3rver/bin/s3rver.js');

function accepts(port: number): Promise<boolean> {
  const socket = connect(port, '127.0.0.1');
  return once(socket, 'connect')
    .then(
      () => true,
      () => false,
    )
    .finally(() => socket.destroy());
}
