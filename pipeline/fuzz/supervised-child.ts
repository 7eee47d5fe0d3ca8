import { fork, type ChildProcess } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { ChildMessage, ChildTask } from './fuzz-child.js';
import type { FuzzRun } from './fuzz-run.js';

/** A child process with one task, as its supervisor sees it. */
export class SupervisedChild {
  /** The messages, when the process has ended. */
  readonly ended: Promise<readonly ChildMessage[]>;
  /** How the process ended, and its error output. Empty until then. */
  end = '';
  readonly #process: ChildProcess;
  readonly #messages: ChildMessage[] = [];
  #stderr = '';

  constructor({ module, target, seed, limits }: FuzzRun, task: Partial<ChildTask>) {
    this.#process = fork(CHILD, { execArgv: [`--max-old-space-size=${limits.heapMb}`], silent: true });
    this.#process.on('message', (message) => this.#messages.push(message as ChildMessage));
    this.#process.stderr!.on('data', (text: Buffer) => (this.#stderr += text.toString()));
    this.#process.stdout!.resume();
    this.ended = new Promise((resolve) => {
      this.#process.once('close', (code, signal) => {
        this.end = `${signal ?? `exit code ${code}`} ${this.#stderr.trim().slice(0, 2_000)}`.trimEnd();
        resolve(this.#messages);
      });
    });
    const whole: ChildTask = { module, target, seed, limits, from: 0, to: 0, progressFile: '', ...task };
    this.#process.send(whole);
  }

  /** Whether the process ended because its heap was full. */
  get ranOutOfMemory(): boolean {
    return this.#stderr.includes('heap out of memory') || this.end.startsWith('SIGABRT');
  }

  /** Waits for the end. Returns false after `ms`. */
  async endsWithin(ms: number): Promise<boolean> {
    let timer: NodeJS.Timeout | undefined;
    const elapsed = new Promise<false>((resolve) => {
      timer = setTimeout(resolve, ms, false);
    });
    const isOver = await Promise.race([this.ended.then(() => true), elapsed]);
    clearTimeout(timer);
    return isOver;
  }

  /** Returns the processor time of the process so far, or infinity on systems without /proc. */
  cpuMs(): number {
    try {
      const stat = readFileSync(`/proc/${this.#process.pid}/stat`, 'utf8');
      const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
      return (Number(fields[11]) + Number(fields[12])) * MS_PER_TICK;
    } catch {
      return Infinity;
    }
  }

  /** Ends the process at once. */
  kill(): void {
    this.#process.kill('SIGKILL');
  }

  /** Ends the process after `ms`, unless it has ended before. */
  killAfter(ms: number): void {
    const timer = setTimeout(() => {
      this.kill();
    }, ms);
    void this.ended.then(() => {
      clearTimeout(timer);
    });
  }
}

/** The unit of times in /proc/<pid>/stat. */
const MS_PER_TICK = 10;

const CHILD = fileURLToPath(new URL('fuzz-child.js', import.meta.url));
