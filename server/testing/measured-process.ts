import { fork } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readdirSync } from 'node:fs';
import { monitorEventLoopDelay } from 'node:perf_hooks';

/** Resource use of a process. 1 MB is 10^6 bytes. */
export interface ProcessFigures {
  readonly cpuMicros: number;
  readonly rssMb: number;
  readonly heapMb: number;
  /** Buffers outside the heap, such as the files of a release. */
  readonly externalMb: number;
  /** The longest delay of the event loop since the last query. */
  readonly longestDelayMs: number;
  /** Open files and sockets (Linux only). */
  readonly descriptors: number | undefined;
  /** Active timers. */
  readonly timers: number;
}

/** `collect`: the figures after a garbage collection, if the process runs with --expose-gc. */
type Question = 'figures' | 'collect';

/** A listening process that reports its resource use. */
export interface MeasuredProcess {
  readonly url: string;
  ask(question?: Question): Promise<ProcessFigures>;
  stop(): void;
}

/** The option of Node with which `make serve`, the unit and the image start a server. */
export const YOUNG_GENERATION = '--max-semi-space-size=32';

/** Starts a module that reads its task by `measuredTask` and ends with `answerFigures`. */
export async function startMeasured(file: string, task: object): Promise<MeasuredProcess> {
  const child = fork(file, {
    execArgv: [...process.execArgv, YOUNG_GENERATION, '--expose-gc'],
    // The access log is written and discarded.
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

/** Returns the task of `startMeasured`. */
export async function measuredTask<Task>(): Promise<Task> {
  const [task] = (await once(process, 'message')) as [Task];
  return task;
}

/** Reports the URL of this process and then answers its parent's queries. */
export function answerFigures(url: string): void {
  const delay = monitorEventLoopDelay({ resolution: 2 });
  delay.enable();
  process.on('message', (question: Question) => {
    if (question === 'collect') {
      // A second collection frees buffers that the first one made unreachable.
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
