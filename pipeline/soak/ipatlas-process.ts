import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';

/** A running command of ipatlas. */
export interface IpatlasProcess {
  readonly child: ChildProcess;
  /** Resolves with the exit code or signal and the output of both streams. */
  readonly ended: Promise<{ readonly end: string; readonly output: string }>;
  /** Resolves after this number of lines of output, or at the end of the process. */
  lines(count: number): Promise<void>;
  /** Resolves when a line contains the text. Throws if the process ends without it. */
  saw(text: string): Promise<void>;
}

/** How to start a command. */
export interface Command {
  /** The compiled `pipeline/main.js`. */
  readonly main: string;
  readonly args: readonly string[];
  readonly variables: Readonly<Record<string, string>>;
}

/** Starts a command of ipatlas. */
export function startIpatlas({ main, args, variables }: Command): IpatlasProcess {
  const env = { ...process.env, ...variables };
  const child = spawn(process.execPath, [main, ...args], { env, stdio: ['ignore', 'pipe', 'pipe'] });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.on('data', (chunk: Buffer) => {
      output += chunk.toString();
      child.emit('output');
    });
  }
  const ended = once(child, 'close').then(([code, signal]) => {
    return { end: String((code as number | null) ?? (signal as string)), output };
  });
  const until = async (isReached: () => boolean): Promise<boolean> => {
    while (!isReached()) {
      const next = await Promise.race([ended, once(child, 'output')]);
      if (!Array.isArray(next)) return isReached();
    }
    return true;
  };
  return {
    child,
    ended,
    lines: async (count) => {
      await until(() => output.split('\n').length > count);
    },
    saw: async (text) => {
      if (!(await until(() => output.includes(text)))) throw new Error(`no "${text}" in:\n${output}`);
    },
  };
}

/** Runs a command of ipatlas to its end. */
export function runIpatlas(command: Command): IpatlasProcess['ended'] {
  return startIpatlas(command).ended;
}

/** A moment in the run of a process: after a number of lines of its output, and some time. */
export interface Moment {
  readonly lines: number;
  readonly waitMs: number;
}

/** Waits for a moment in the run of a process. Resolves at once if the process has ended. */
export async function untilMoment(running: IpatlasProcess, { lines, waitMs }: Moment): Promise<void> {
  await running.lines(lines);
  await Promise.race([running.ended, sleep(waitMs)]);
}
