import { pino, type Logger } from 'pino';
import type { ServerConfig } from '../config.js';
import { HeldLines } from './held-lines.js';
import { peopleStream } from './people-lines.js';

/** Limits of the write buffer, in characters and time. */
const BUFFER_LENGTH = 16_000;
const FLUSH_MS = 500;
/** Bytes that wait for a full disk. Further lines are lost. */
const MOST_BYTES = 1 << 20;

/** The server's log on stdout: JSON lines in batches, or plain lines on a terminal. */
export interface ServerLog {
  readonly log: Logger;
  /** Writes the buffer, before the process ends. */
  flush(): void;
}

/** Opens the log. A write error, such as a full disk, is reported once on stderr and does not stop the server. */
export function openLog(level: ServerConfig['logLevel']): ServerLog {
  if (process.stdout.isTTY)
    return { log: pino({ level }, peopleStream(process.stdout)), flush: () => undefined };
  const destination = pino.destination({ dest: 1, sync: false, minLength: 1, maxLength: MOST_BYTES });
  const lines = new HeldLines(destination, BUFFER_LENGTH);
  let isFailing = false;
  const report = lossReporter();
  destination.on('error', (error: Error) => {
    isFailing = true;
    report(error);
  });
  destination.on('write', () => {
    isFailing = false;
  });
  const log = pino({ level, base: { pid: process.pid } }, lines);
  setInterval(() => {
    lines.flush();
    // Retries data that a full disk did not accept.
    destination.flush();
  }, FLUSH_MS).unref();
  const flush = (): void => {
    // On a full disk flushSync would retry forever, here and at exit.
    if (isFailing) {
      lines.drop();
      destination.destroy();
    } else {
      lines.flush();
      destination.flushSync();
    }
  };
  process.once('exit', flush);
  return { log, flush };
}

function lossReporter(): (error: Error) => void {
  let isReported = false;
  return (error) => {
    if (!isReported) process.stderr.write(`cannot write the log: ${error.message}\n`);
    isReported = true;
  };
}
