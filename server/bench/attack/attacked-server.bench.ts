import { execFileSync, spawn, type ChildProcess } from 'node:child_process';
import { closeSync, existsSync, mkdtempSync, openSync, readdirSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { publishSmallRelease } from '../../testing/small-release.js';
import {
  endServer,
  environmentOf,
  LISTENING,
  MAIN,
  processesOf,
  startLine,
  type ServerOptions,
} from './attacked-process.bench.js';
import { cpuMsOf, familyOf, isNode, peakRssMbOf } from './process-figures.bench.js';

/** Peak memory of the largest process so far, in MB of 10^6 bytes. */
export interface Peak {
  readonly heapMb: number;
  readonly rssMb: number;
}

/** A running `ipatlas serve` with its own release and Redis. */
export class AttackedServer {
  readonly #heapDir: string;
  readonly #first: readonly number[];
  /** With the private Redis, which outlives a server that is killed. */
  readonly #started: readonly number[];
  readonly #keys = new Map<string, string>();
  #rssMb = 0;
  #idleCpuMs: number | undefined;
  readonly #sampling: NodeJS.Timeout;

  private constructor(
    readonly url: string,
    readonly metricsUrl: string,
    private readonly parts: { readonly outputDir: string; readonly child: ChildProcess },
  ) {
    this.#heapDir = join(parts.outputDir, 'heaps');
    this.#first = this.pids();
    this.#started = processesOf(parts.child);
    this.#sampling = setInterval(() => {
      this.#sample();
    }, 200);
  }

  static async start(options: ServerOptions = {}): Promise<AttackedServer> {
    const outputDir = mkdtempSync(join(tmpdir(), 'ipatlas-attack-'));
    const { downloadBallast = 0 } = options;
    await publishSmallRelease(outputDir, { downloadBallast });
    const log = openSync(join(outputDir, 'log'), 'a');
    const child = spawn(process.execPath, [MAIN, 'serve', '--workers', String(options.workers ?? 1)], {
      env: environmentOf(outputDir, options),
      stdio: ['ignore', options.pipesLog === true ? 'pipe' : log, log],
    });
    closeSync(log);
    try {
      const line = await startLine(child, outputDir);
      const [, url = '', metricsUrl = ''] = LISTENING.exec(line) ?? [];
      return new AttackedServer(url, metricsUrl, { outputDir, child });
    } catch (error) {
      await endServer(child, { outputDir, others: [] });
      throw error;
    }
  }

  /** Everything the server has written to its log. */
  get log(): string {
    return readFileSync(join(this.parts.outputDir, 'log'), 'utf8');
  }

  /** The pipe of the log, with `pipesLog`. */
  get logPipe(): NodeJS.ReadableStream | null {
    return this.parts.child.stdout;
  }

  /** Runs a command of `ipatlas` on the data of this server and returns what it prints. */
  run(...args: readonly string[]): string {
    const env = environmentOf(this.parts.outputDir, {});
    return execFileSync(process.execPath, [MAIN, ...args], { env, encoding: 'utf8' }).trim();
  }

  /** Returns the key of an account of a plan. */
  key(plan: string): string {
    const known = this.#keys.get(plan);
    if (known !== undefined) return known;
    const key = this.run('key', 'create', '--quiet', '--email', `${plan}@example.com`, '--plan', plan);
    this.#keys.set(plan, key);
    return key;
  }

  /** The processes of the server: one, or the primary and its workers. */
  pids(): number[] {
    return familyOf(this.parts.child.pid!).filter(isNode);
  }

  /** Whether no process of the server has ended. */
  get isWhole(): boolean {
    const now = this.pids();
    return this.#first.length > 0 && this.#first.every((pid) => now.includes(pid));
  }

  /** CPU time of all processes so far. Its resolution is 10 ms. */
  cpuMs(): number {
    return this.pids().reduce((sum, pid) => sum + cpuMsOf(pid), 0);
  }

  /** CPU time per second without requests, measured once. */
  async idleCpuMs(): Promise<number> {
    if (this.#idleCpuMs === undefined) {
      const beforeMs = this.cpuMs();
      await sleep(2000);
      this.#idleCpuMs = (this.cpuMs() - beforeMs) / 2;
    }
    return this.#idleCpuMs;
  }

  peak(): Peak {
    this.#sample();
    const heaps = existsSync(this.#heapDir)
      ? readdirSync(this.#heapDir).map((name) => Number(readFileSync(join(this.#heapDir, name), 'utf8')))
      : [];
    return { heapMb: Math.max(0, ...heaps), rssMb: this.#rssMb };
  }

  async stop(): Promise<void> {
    clearInterval(this.#sampling);
    await endServer(this.parts.child, { outputDir: this.parts.outputDir, others: this.#started });
  }

  #sample(): void {
    for (const pid of this.pids()) this.#rssMb = Math.max(this.#rssMb, peakRssMbOf(pid));
  }
}

/** Runs an attack on a server of its own. */
export async function withServer<T>(
  options: ServerOptions,
  attack: (server: AttackedServer) => Promise<T>,
): Promise<T> {
  const server = await AttackedServer.start(options);
  try {
    return await attack(server);
  } finally {
    await server.stop();
  }
}
