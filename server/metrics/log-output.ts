import { writeSync } from 'node:fs';
import type { DestinationStream } from 'pino';
import { printableJson } from '../../pipeline/text/printable.js';

/** Where log lines go, and how many may wait. */
export interface LogOutputOptions {
  readonly fd: number;
  /** Length of a batch in UTF-16 units. Only a single longer line makes a longer one. */
  readonly batchLength: number;
  /** Bytes that may wait while the output accepts none. Further lines are dropped until half of them is written. */
  readonly mostBytes: number;
  /** Returns the line that reports dropped lines in the log itself. */
  readonly noticeOf: (dropped: number) => string;
  /** Called for each failed write, except when a pipe is full. */
  readonly onError: (error: Error) => void;
  /** Called when lines are dropped for the first time since `noticeOf`. */
  readonly onDropping: () => void;
}

/** Whole lines that are written together. */
interface Batch {
  readonly bytes: Buffer;
  readonly lines: number;
}

/** Wait before a full pipe is tried again, in ms. */
const PIPE_RETRY_MS = 10;
/** Errors of a full pipe: it accepts data again as soon as its reader has read. */
const FULL_PIPE: readonly unknown[] = ['EAGAIN', 'EWOULDBLOCK'];

/**
 * Writes log lines in batches, in their order, with a system call that returns at once for a pipe and waits for a disk.
 * A file therefore gets every line that its disk can take. What a full pipe or a full disk does not accept waits, up to
 * a limit; beyond it lines are dropped, counted, and reported in the log when it accepts lines again.
 */
export class LogOutput implements DestinationStream {
  #held = '';
  #heldLines = 0;
  #waiting: Batch[] = [];
  #waitingBytes = 0;
  /** Bytes of the first waiting batch that are written. */
  #writtenOfFirst = 0;
  #isFailing = false;
  #isDropping = false;
  #dropped = 0;
  #unreported = 0;
  #retry: NodeJS.Timeout | undefined;

  constructor(private readonly options: LogOutputOptions) {}

  /** Number of lines that were dropped since the start. */
  get dropped(): number {
    return this.#dropped;
  }

  /** Takes one line, with its line feed. */
  write(line: string): void {
    const { batchLength } = this.options;
    if (this.#held.length + line.length > batchLength) this.#takeBatch();
    this.#held += line;
    this.#heldLines++;
    if (this.#held.length >= batchLength) this.#takeBatch();
  }

  /** Writes what waits, as far as the output accepts it. Tries again after a failed write. */
  flush(): void {
    this.#isFailing = false;
    this.#takeBatch();
    if (this.#waiting.length > 0) this.#drain();
    this.#report();
  }

  /** Writes what waits and gives a full pipe some time without progress. Drops and returns the number of lines left. */
  end(patienceMs: number): number {
    this.flush();
    let deadline = Date.now() + patienceMs;
    while (this.#waiting.length > 0 && !this.#isFailing && Date.now() < deadline) {
      const before = this.#waitingBytes;
      Atomics.wait(PAUSE, 0, 0, PIPE_RETRY_MS);
      this.flush();
      if (this.#waitingBytes < before) deadline = Date.now() + patienceMs;
    }
    clearTimeout(this.#retry);
    const left = this.#waiting.reduce((sum, { lines }) => sum + lines, this.#unreported);
    this.#dropped += left - this.#unreported;
    [this.#waiting, this.#waitingBytes, this.#unreported] = [[], 0, 0];
    return left;
  }

  #takeBatch(): void {
    if (this.#heldLines === 0) return;
    const [text, lines] = [this.#held, this.#heldLines];
    [this.#held, this.#heldLines] = ['', 0];
    const bytes = safeBytes(text);
    if (this.#isDropping || this.#waitingBytes + bytes.length > this.options.mostBytes) {
      this.#drop(lines);
      return;
    }
    this.#append({ bytes, lines });
    if (!this.#isFailing) this.#drain();
  }

  #append(batch: Batch): void {
    this.#waiting.push(batch);
    this.#waitingBytes += batch.bytes.length;
  }

  #drop(lines: number): void {
    this.#dropped += lines;
    this.#unreported += lines;
    if (this.#isDropping) return;
    this.#isDropping = true;
    this.options.onDropping();
  }

  #drain(): void {
    const error = this.#writeWaiting();
    if (error === undefined) return;
    if (FULL_PIPE.includes((error as NodeJS.ErrnoException).code)) {
      this.#retry ??= setTimeout(() => {
        this.#retry = undefined;
        this.#drain();
        this.#report();
      }, PIPE_RETRY_MS).unref();
      return;
    }
    this.#isFailing = true;
    this.options.onError(error);
  }

  /** Writes batches until the output fails. Returns its error. */
  #writeWaiting(): Error | undefined {
    let done = 0;
    try {
      for (let first = this.#waiting[0]; first !== undefined; first = this.#waiting[done]) {
        const count = writeSync(this.options.fd, first.bytes, this.#writtenOfFirst);
        this.#waitingBytes -= count;
        this.#writtenOfFirst += count;
        if (this.#writtenOfFirst < first.bytes.length) continue;
        this.#writtenOfFirst = 0;
        done++;
      }
      return undefined;
    } catch (error) {
      return error as Error;
    } finally {
      this.#waiting.splice(0, done);
    }
  }

  /** Accepts lines again when half of the waiting ones are written, after a line that says how many were dropped. */
  #report(): void {
    if (!this.#isDropping || this.#waitingBytes > this.options.mostBytes / 2) return;
    this.#isDropping = false;
    const dropped = this.#unreported;
    this.#unreported = 0;
    this.#append({ bytes: safeBytes(this.options.noticeOf(dropped)), lines: 1 });
    this.#drain();
  }
}

const PAUSE = new Int32Array(new SharedArrayBuffer(4));

const DELETE = 0x7f;

/**
 * Encodes JSON lines without characters that a terminal interprets. JSON.stringify has escaped line feeds and the other
 * control characters below space, so ASCII text can only contain DEL.
 */
function safeBytes(lines: string): Buffer {
  const bytes = Buffer.from(lines);
  const isAscii = bytes.length === lines.length;
  return isAscii && !bytes.includes(DELETE) ? bytes : Buffer.from(printableJson(lines));
}
