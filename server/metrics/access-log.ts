import { pino, type Logger } from 'pino';
import type { ServerConfig } from '../config.js';
import { HeldLines } from './held-lines.js';
import { peopleStream } from './people-lines.js';

/** How much is kept back before it is written, and for how long at most. */
const BUFFER_LENGTH = 16_000;
const FLUSH_MS = 500;
/** Bytes that wait for a disk that takes nothing; more than this are lost. */
const MOST_BYTES = 1 << 20;

/** The server's log on stdout: JSON lines, written in batches; on a terminal plain ones, at once. */
export interface ServerLog {
  readonly log: Logger;
  /** Writes what is kept back, for a process that is about to end. */
  flush(): void;
}

/** Opens the log. Where it cannot be written, on a full disk, that is said once on stderr, and the server goes on. */
export function openLog(level: ServerConfig['logLevel']): ServerLog {
  if (process.stdout.isTTY)
    return { log: pino({ level }, peopleStream(process.stdout)), flush: () => undefined };
  const destination = pino.destination({ dest: 1, sync: false, minLength: 1, maxLength: MOST_BYTES });
  const lines = new HeldLines(destination, BUFFER_LENGTH);
  let isFailing = false;
  const tell = lossTeller();
  destination.on('error', (error: Error) => {
    isFailing = true;
    tell(error);
  });
  destination.on('write', () => {
    isFailing = false;
  });
  const log = pino({ level, base: { pid: process.pid } }, lines);
  setInterval(() => {
    lines.handOn();
    // What a full disk has not taken is tried anew.
    destination.flush();
  }, FLUSH_MS).unref();
  const flush = (): void => {
    // It would try for ever where the disk takes nothing, here and when the process exits.
    if (isFailing) {
      lines.drop();
      destination.destroy();
    } else {
      lines.handOn();
      destination.flushSync();
    }
  };
  process.once('exit', flush);
  return { log, flush };
}

function lossTeller(): (error: Error) => void {
  let isTold = false;
  return (error) => {
    if (!isTold) process.stderr.write(`the log cannot be written: ${error.message}\n`);
    isTold = true;
  };
}
