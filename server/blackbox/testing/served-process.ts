import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import type { Test } from 'tap';

/** `ipatlas serve` in a process of its own, gone when the test ends. */
export interface ServedProcess {
  readonly url: string;
  readonly child: ChildProcess;
}

const MAIN = fileURLToPath(new URL('../../../pipeline/main.js', import.meta.url));

/** Starts it with variables of the environment; resolves when it listens, rejects when it ends before that. */
export async function serveInProcess(
  t: Test,
  variables: Readonly<Record<string, string>>,
): Promise<ServedProcess> {
  const child = spawn(process.execPath, [MAIN, 'serve'], {
    env: { PATH: process.env['PATH'], HOST: '127.0.0.1', PORT: '0', METRICS_PORT: '0', ...variables },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  t.teardown(async () => {
    if (child.exitCode === null && child.signalCode === null) {
      child.kill('SIGKILL');
      await once(child, 'exit');
    }
  });
  let told = '';
  const lines: AsyncIterable<string>[] = [child.stdout, child.stderr].map((input) =>
    createInterface({ input }),
  );
  const urls = lines.map(async (stream) => {
    for await (const line of stream) {
      told += `${line}\n`;
      const url = /(http:\/\/127\.0\.0\.1:\d+) serves/.exec(line)?.[1];
      if (url !== undefined) return url;
    }
    throw new Error(`the server ended: ${told}`);
  });
  const url = await Promise.any(urls);
  child.stdout.resume();
  child.stderr.resume();
  return { url, child };
}
