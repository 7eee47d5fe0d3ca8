import { fstatSync } from 'node:fs';
import { pino, type Logger } from 'pino';
import { Counter, type Registry } from 'prom-client';
import type { ServerConfig } from '../config.js';
import { LogOutput } from './log-output.js';
import { peopleStream } from './people-lines.js';

const STDOUT = 1;

/** Length of a batch of lines, in characters, and how long a line waits for its batch. */
const BATCH_LENGTH = 16_000;
const FLUSH_MS = 500;
/**
 * The same for a pipe. It accepts up to PIPE_BUF bytes as a whole or not at all (POSIX, write), so that lines of several
 * processes do not mix.
 */
const PIPE_BATCH_LENGTH = 4096;
/** Bytes of lines that wait while the output accepts none: about 50,000 lines. */
const MOST_BYTES = 8 << 20;
/** How long the end of the process waits for a reader that reads nothing. */
const END_MS = 5000;

/** The server's log on stdout: JSON lines in batches, or plain lines on a terminal. */
export interface ServerLog {
  readonly log: Logger;
  /** Number of lines dropped since the start, because stdout did not accept them. */
  readonly dropped: () => number;
  /** Writes the buffer, before the process ends. */
  flush(): void;
}

/**
 * Opens the log. A write error, such as a full disk, and lost lines are reported on stderr and do not stop the server.
 */
export function openLog(level: ServerConfig['logLevel']): ServerLog {
  // Also makes a pipe non-blocking: a reader that does not read must not stop the server.
  if (process.stdout.isTTY) {
    const log = pino({ level }, peopleStream(process.stdout));
    return { log, dropped: () => 0, flush: () => undefined };
  }
  const base = { pid: process.pid };
  const output = new LogOutput({
    fd: STDOUT,
    batchLength: isPipe(STDOUT) ? PIPE_BATCH_LENGTH : BATCH_LENGTH,
    mostBytes: MOST_BYTES,
    noticeOf: (dropped) => noticeOf(dropped, base),
    ...lossReporters(),
  });
  const log = pino({ level, base }, output);
  setInterval(() => {
    output.flush();
  }, FLUSH_MS).unref();
  const flush = (): void => {
    const lost = output.end(END_MS);
    if (lost > 0) process.stderr.write(`lost ${lost} log lines: stdout did not accept them\n`);
  };
  process.once('exit', flush);
  return { log, dropped: () => output.dropped, flush };
}

/** Registers the number of dropped lines as a metric, summed over processes. */
export function addLogMetrics(registry: Registry, { dropped }: Pick<ServerLog, 'dropped'>): void {
  new Counter({
    name: 'ipatlas_log_lines_dropped_total',
    help: 'Log lines dropped because stdout did not accept them',
    registers: [registry],
    collect() {
      this.reset();
      this.inc(dropped());
    },
  });
}

function isPipe(fd: number): boolean {
  try {
    const stats = fstatSync(fd);
    return stats.isFIFO() || stats.isSocket();
  } catch {
    // A closed stdout: the first write reports it.
    return false;
  }
}

/** The log line about dropped lines, at the level of warnings. */
function noticeOf(dropped: number, base: { readonly pid: number }): string {
  const msg = `${dropped} log lines were dropped before this one: stdout did not accept them in time`;
  return `${JSON.stringify({ level: pino.levels.values['warn'], time: Date.now(), ...base, dropped, msg })}\n`;
}

/** Each kind of loss is reported once. */
function lossReporters(): { onError: (error: Error) => void; onDropping: () => void } {
  const reported = new Set<string>();
  const report = (kind: string, text: string): void => {
    if (!reported.has(kind)) process.stderr.write(`${text}\n`);
    reported.add(kind);
  };
  // A closed stderr must not stop the server either.
  process.stderr.on('error', () => undefined);
  return {
    onError: (error) => {
      report('error', `cannot write the log: ${error.message}`);
    },
    onDropping: () => {
      report('drop', 'log lines are dropped, because stdout does not accept them in time');
    },
  };
}
