import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import type { Test } from 'tap';
import { plainNode } from '../../pipeline/testing/child-process.js';

/** A log line, parsed from JSON. */
export type LogLine = Readonly<Record<string, unknown>> & { readonly pid: number; readonly msg?: string };

/** A running `ipatlas serve` process. */
export interface ServedProcess {
  readonly child: ChildProcess;
  /** From the start line. */
  readonly url: string;
  readonly metricsUrl: string;
  /** All lines of stdout so far. */
  readonly lines: readonly LogLine[];
  /** Resolves with the first line for which `holds` is true. Rejects when the process ends without one. */
  saw(holds: (line: LogLine) => boolean): Promise<LogLine>;
  readonly ended: Promise<{ readonly code: number | NodeJS.Signals; readonly stderr: string }>;
}

const MAIN = fileURLToPath(new URL('../../pipeline/main.js', import.meta.url));

/** Replaces variables of the caller's environment. */
const BARE = {
  REDIS_URL: '',
  HOST: '127.0.0.1',
  PORT: '0',
  METRICS_PORT: '0',
  RELEASE_POLL_MS: '50',
  STORE: '',
};

/** Starts `ipatlas serve` on free loopback ports. It is killed when the test ends. */
export async function serveProcess(
  t: Test,
  settings: Readonly<Record<string, string>>,
  ...args: readonly string[]
): Promise<ServedProcess> {
  const child = spawn(...plainNode(MAIN, 'serve', ...args), {
    env: { ...process.env, ...BARE, ...settings },
  });
  t.teardown(() => child.kill('SIGKILL'));
  const lines: LogLine[] = [];
  const ended = endOf(child, lines);
  const saw = async (holds: (line: LogLine) => boolean): Promise<LogLine> => {
    for (;;) {
      const found = lines.find(holds);
      if (found) return found;
      const next = await Promise.race([ended, once(child, 'line')]);
      if (!Array.isArray(next) && !lines.some(holds)) {
        throw new Error(`ended (${next.code}) without that line: ${next.stderr}${JSON.stringify(lines)}`);
      }
    }
  };
  const { msg = '' } = await saw(({ msg }) => msg?.includes('/metrics') === true);
  const [, url = '', metricsUrl = ''] = /^listening on ([^\s,]+), .* metrics at ([^\s,]+)/.exec(msg) ?? [];
  return { child, url, metricsUrl, lines, saw, ended };
}

function endOf(child: ChildProcess, lines: LogLine[]): ServedProcess['ended'] {
  let unfinished = '';
  let stderr = '';
  child.stdout?.on('data', (chunk: Buffer) => {
    const texts = (unfinished + chunk.toString()).split('\n');
    unfinished = texts.pop()!;
    lines.push(...texts.map((text) => JSON.parse(text) as LogLine));
    child.emit('line');
  });
  child.stderr?.on('data', (chunk: Buffer) => (stderr += chunk.toString()));
  return once(child, 'close').then(([code, signal]) => ({
    code: (code ?? signal) as number | NodeJS.Signals,
    stderr,
  }));
}
