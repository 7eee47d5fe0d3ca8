import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { ClientError } from './client.js';

const TIMEOUT_MS = 120_000;

/** A program, with what it reads from standard input. */
export interface Program {
  readonly command: readonly string[];
  readonly input?: string;
  readonly env?: Readonly<Record<string, string>>;
}

/** Runs a program to its end and returns its output. Throws ClientError with its message when it fails. */
export function runProgram({ command, input, env = {} }: Program): Promise<string> {
  const [name = '', ...args] = command;
  return new Promise((resolve, reject) => {
    const options = { env: { ...process.env, ...env }, timeout: TIMEOUT_MS, maxBuffer: 1 << 26 };
    const child = execFile(name, args, options, (error, stdout, stderr) => {
      if (error) reject(new ClientError(messageOf(stderr === '' ? error.message : stderr), { cause: error }));
      else resolve(stdout);
    });
    // A program that ends without reading its input has a reason, which its exit code tells.
    child.stdin?.on('error', () => undefined).end(input ?? '');
  });
}

/** Returns the line of a program's output that says why it failed: of Python the last one, else the first one. */
export function messageOf(output: string): string {
  const lines = output.split('\n').filter((line) => line.trim() !== '');
  const line = lines[0]?.startsWith('Traceback') ? lines.at(-1) : lines[0];
  return (line ?? 'no message').trim();
}

/** Splits the output of a program into its lines. */
export function linesOf(output: string): string[] {
  return output.replace(/\n$/, '').split('\n');
}

/**
 * Runs a server until `use` is done. `use` may fail until the server listens: it is repeated until it succeeds, the
 * server ends or ten seconds have passed. Throws ClientError with the output of the server.
 */
export async function withServer<T>(command: readonly string[], use: () => Promise<T>): Promise<T> {
  const [name = '', ...args] = command;
  const child = spawn(name, args, { stdio: ['ignore', 'pipe', 'pipe'] });
  let output = '';
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (chunk: Buffer) => (output += chunk.toString()));
  const closed = once(child, 'close').catch((error: unknown) => (output += String(error)));
  const isAlive = (): boolean => child.exitCode === null && child.signalCode === null;
  try {
    const deadline = Date.now() + START_MS;
    for (;;) {
      try {
        return await use();
      } catch (cause) {
        if (!(cause instanceof ClientError)) throw cause;
        if (!isAlive() || Date.now() > deadline) throw new ClientError(faultIn(output, cause), { cause });
      }
      await new Promise((resolve) => setTimeout(resolve, 100));
    }
  } finally {
    child.kill('SIGTERM');
    const timer = setTimeout(() => child.kill('SIGKILL'), 3000);
    await closed;
    clearTimeout(timer);
  }
}

const START_MS = 10_000;

/** The line of a server's log that has the fault, or else what its client says. */
function faultIn(output: string, { message }: ClientError): string {
  const line = output.split('\n').find((line) => /error|fatal|emerg|fail|unable|cannot/i.test(line));
  return line?.trim() ?? message;
}

/** Asks a name server on the loopback for the TXT record of a name, with the client subnet of an address. */
export async function askTxt(port: number, name: string, subnet: string): Promise<string> {
  const command = ['dig', '+short', '+time=1', '+tries=1', '-p', String(port), '@127.0.0.1'];
  const output = await runProgram({ command: [...command, name, 'TXT', `+subnet=${subnet}`] });
  return output.trim().replace(/^"|"$/g, '');
}
