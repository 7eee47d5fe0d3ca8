import { spawn, type ChildProcessByStdio } from 'node:child_process';
import type { Readable, Writable } from 'node:stream';
import { printableLine } from '../text/printable.js';

/** What a command receives, and the limits of its run. */
export interface CommandRun {
  /** Its standard input. */
  readonly input: string;
  /** Variables in addition to those of this process. */
  readonly variables: Readonly<Record<string, string>>;
  /** Receives its output, line by line, escaped. */
  readonly print: (line: string) => void;
  /** Time limit in ms; 60 s by default. */
  readonly limitMs?: number;
}

type Child = ChildProcessByStdio<Writable, Readable, Readable>;

const LIMIT_MS = 60_000;
/** Printed output of each stream in UTF-16 units. The rest is discarded. */
const OUTPUT_LENGTH = 64 * 1024;
/** The secret that signs messages is not for the command. */
const WITHHELD = { NOTIFY_SECRET: undefined };

/**
 * Runs an executable without a shell and without arguments. At the time limit it is killed with all processes of its
 * group. Returns why it failed; undefined if it ended with code 0.
 */
export function runCommand(
  path: string,
  { input, variables, print, limitMs = LIMIT_MS }: CommandRun,
): Promise<string | undefined> {
  const env = { ...process.env, ...WITHHELD, ...variables };
  // A process group of its own, so that the limit also ends what the command has started.
  const child = spawn(path, [], { env, stdio: ['pipe', 'pipe', 'pipe'], detached: true });
  // A command need not read its input.
  child.stdin.on('error', () => undefined);
  child.stdin.end(input);
  printLines(child.stdout, print);
  printLines(child.stderr, print);
  return ended(child, limitMs);
}

function ended(child: Child, limitMs: number): Promise<string | undefined> {
  return new Promise((resolve) => {
    let isLate = false;
    const timer = setTimeout(() => {
      isLate = child.exitCode === null && child.signalCode === null;
      killGroup(child);
      // A process that has left the group may hold the output open.
      child.stdout.destroy();
      child.stderr.destroy();
    }, limitMs);
    child.once('error', (error: NodeJS.ErrnoException) => {
      clearTimeout(timer);
      resolve(`cannot be started: ${error.code ?? error.name}`);
    });
    child.once('close', (code, signal) => {
      clearTimeout(timer);
      if (isLate) resolve(`exceeded ${limitMs / 1000} s`);
      else
        resolve(code === 0 ? undefined : signal === null ? `exit code ${code ?? ''}` : `ended by ${signal}`);
    });
  });
}

function killGroup({ pid }: Child): void {
  try {
    if (pid !== undefined) process.kill(-pid, 'SIGKILL');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
  }
}

/** Prints the lines of a stream. The end of a longer output is read and discarded, so that the command can end. */
function printLines(stream: Readable, print: (line: string) => void): void {
  let rest = '';
  let length = 0;
  stream.setEncoding('utf8');
  stream.on('data', (text: string) => {
    if (length >= OUTPUT_LENGTH) return;
    const kept = text.slice(0, OUTPUT_LENGTH - length);
    length += kept.length;
    const lines = (rest + kept).split('\n');
    rest = lines.pop()!;
    for (const line of lines) print(printableLine(line));
    if (length >= OUTPUT_LENGTH) rest += ' … (more output is not shown)';
  });
  stream.once('close', () => {
    if (rest !== '') print(printableLine(rest));
  });
}
