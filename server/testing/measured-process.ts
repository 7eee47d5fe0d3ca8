import { fork } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readdirSync } from 'node:fs';
import { monitorEventLoopDelay } from 'node:perf_hooks';

/** What a process has used so far, and holds now. MB are of 10^6 bytes. */
export interface ProcessFigures {
  readonly cpuMicros: number;
  readonly rssMb: number;
  readonly heapMb: number;
  /** Buffers outside the heap, such as the files of a release. */
  readonly externalMb: number;
  /** The longest time that the event loop was held up since the last question. */
  readonly longestDelayMs: number;
  /** Open files and sockets, where the system tells (Linux). */
  readonly descriptors: number | undefined;
  /** Timers that run. */
  readonly timers: number;
}

/** `collect`: the same after the garbage is gone, where the process was started with --expose-gc. */
type Question = 'figures' | 'collect';

/** A process that listens and can be asked what it uses. */
export interface MeasuredProcess {
  readonly url: string;
  ask(question?: Question): Promise<ProcessFigures>;
  stop(): void;
}

/** Starts a module that ends with `answerFigures`. It begins with `measuredTask`, which gives it `task`. */
export async function startMeasured(file: string, task: object): Promise<MeasuredProcess> {
  const child = fork(file, {
    execArgv: [...process.execArgv, '--expose-gc'],
    // Its access log goes nowhere, but is written.
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  });
  child.send(task);
  const [url] = (await Promise.race([once(child, 'message'), gone(child)])) as [string];
  return {
    url,
    ask: async (question: Question = 'figures') => {
      child.send(question);
      const [figures] = (await once(child, 'message')) as [ProcessFigures];
      return figures;
    },
    stop: () => void child.kill(),
  };
}

async function gone(child: ReturnType<typeof fork>): Promise<never> {
  const [code] = (await once(child, 'exit')) as [number | null];
  throw new Error(`the process ended with ${code} before it listened`);
}

/** What `startMeasured` was given. */
export async function measuredTask<Task>(): Promise<Task> {
  const [task] = (await once(process, 'message')) as [Task];
  return task;
}

/** Tells where this process listens, and answers its parent's questions from then on. */
export function answerFigures(url: string): void {
  const delay = monitorEventLoopDelay({ resolution: 2 });
  delay.enable();
  process.on('message', (question: Question) => {
    if (question === 'collect') {
      // What one collection makes unreachable, such as buffers of weakly held objects, goes with the next.
      for (let i = 0; i < 3; i++) globalThis.gc?.();
    }
    process.send!(figuresOf(delay.max / 1e6));
    delay.reset();
  });
  process.on('disconnect', () => process.exit(0));
  process.send!(url);
}

function figuresOf(longestDelayMs: number): ProcessFigures {
  const { user, system } = process.cpuUsage();
  const { rss, heapUsed, external } = process.memoryUsage();
  return {
    cpuMicros: user + system,
    ...{ rssMb: rss / 1e6, heapMb: heapUsed / 1e6, externalMb: external / 1e6 },
    longestDelayMs,
    descriptors: existsSync(DESCRIPTORS) ? readdirSync(DESCRIPTORS).length : undefined,
    timers: process.getActiveResourcesInfo().filter((kind) => kind === 'Timeout').length,
  };
}

const DESCRIPTORS = '/proc/self/fd';
