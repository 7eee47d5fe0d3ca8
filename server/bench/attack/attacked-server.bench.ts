import { execFileSync, spawn, type ChildProcess } from 'node:child_process';
import { closeSync, existsSync, mkdtempSync, openSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { openAccountsRedis } from '../../../pipeline/jobs/accounts-redis.js';
import { publishSmallRelease } from '../../testing/small-release.js';
import { cpuMsOf, familyOf, isNode, peakRssMbOf } from './process-figures.bench.js';

/** The compiled project that is attacked: this one, or another version of it. */
export const ATTACKED_DIST =
  process.env['ATTACKED_DIST'] ?? fileURLToPath(new URL('../../..', import.meta.url));

/** Options of an attacked server. */
export interface ServerOptions {
  readonly workers?: number;
  /** Limit of the old generation of each process, in MiB. */
  readonly heapMib?: number;
  readonly env?: Readonly<Record<string, string>>;
  /** Made-up cities in the file of `GET /api/datasets/mmdb`. */
  readonly downloadBallast?: number;
  /** Keeps the log in a pipe, which is read after `readLog` is called. By default the log is a file. */
  readonly pipesLog?: boolean;
}

/** Peak memory of the largest process so far, in MB of 10^6 bytes. */
export interface Peak {
  readonly heapMb: number;
  readonly rssMb: number;
}

/** A running `ipatlas serve` with its own release and Redis. */
export class AttackedServer {
  readonly #heapDir: string;
  readonly #first: readonly number[];
  readonly #keys = new Map<string, string>();
  #rssMb = 0;
  readonly #sampling: NodeJS.Timeout;

  private constructor(
    readonly url: string,
    readonly metricsUrl: string,
    private readonly parts: { readonly outputDir: string; readonly child: ChildProcess },
  ) {
    this.#heapDir = join(parts.outputDir, 'heaps');
    this.#first = this.pids();
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
      await endServer(child, outputDir);
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

  peak(): Peak {
    this.#sample();
    const heaps = existsSync(this.#heapDir)
      ? readdirSync(this.#heapDir).map((name) => Number(readFileSync(join(this.#heapDir, name), 'utf8')))
      : [];
    return { heapMb: Math.max(0, ...heaps), rssMb: this.#rssMb };
  }

  async stop(): Promise<void> {
    clearInterval(this.#sampling);
    await endServer(this.parts.child, this.parts.outputDir);
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

async function endServer(child: ChildProcess, outputDir: string): Promise<void> {
  child.stdout?.resume();
  const pids = familyOf(child.pid!).filter(isNode);
  child.kill('SIGTERM');
  for (let i = 0; i < 5 && child.exitCode === null && child.signalCode === null; i++) await sleep(100);
  for (const pid of pids.filter(isNode)) process.kill(pid, 'SIGKILL');
  // Their locks on the private Redis end with them.
  while (pids.some(isNode)) await sleep(20);
  // The last user of the private Redis stops it. A killed server did not.
  const redis = await openAccountsRedis({ redisUrl: undefined, outputDir, log: () => undefined });
  await redis.stop();
  rmSync(outputDir, { recursive: true, force: true });
}

const MAIN = join(ATTACKED_DIST, 'pipeline/main.js');
const WATCH = new URL('./heap-watch.bench.js', import.meta.url).href;

function environmentOf(outputDir: string, { env, heapMib }: ServerOptions): NodeJS.ProcessEnv {
  const options = [
    `--import=${WATCH}`,
    ...(heapMib === undefined ? [] : [`--max-old-space-size=${heapMib}`]),
  ];
  return {
    ...process.env,
    ...{ NODE_OPTIONS: options.join(' '), HEAP_WATCH_DIR: join(outputDir, 'heaps') },
    ...{ OUTPUT: outputDir, OUTPUT_DIR: '', REDIS_URL: '', DNS_SERVERS: '127.0.0.1:9' },
    ...{ HOST: '127.0.0.1', PORT: '0', METRICS_PORT: '0', WORKERS: '1', TRUSTED_PROXIES: '' },
    ...env,
  };
}

const LISTENING = /listening on ([^\s,]+), .* metrics at ([^\s,"]+)/;

async function startLine(child: ChildProcess, outputDir: string): Promise<string> {
  let piped = '';
  const take = (chunk: Buffer): void => void (piped += chunk.toString());
  child.stdout?.on('data', take);
  for (let i = 0; i < 2400 && child.exitCode === null; i++) {
    const text = piped + readFileSync(join(outputDir, 'log'), 'utf8');
    const line = text.split('\n').find((line) => line.includes('/metrics'));
    if (line !== undefined) {
      child.stdout?.off('data', take).pause();
      return line;
    }
    await sleep(50);
  }
  throw new Error(`the server did not start: ${readFileSync(join(outputDir, 'log'), 'utf8')}`);
}
