import { closeSync, fsyncSync, openSync, renameSync, rmSync, writeSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';

const BLOCK_BYTES = 1 << 20;

/** Writes text and bytes to a file in blocks of 1 MiB. */
export class BlockWriter {
  readonly #file: number;
  readonly #block = Buffer.allocUnsafe(BLOCK_BYTES);
  #used = 0;
  #flushed = 0;
  #isClosed = false;

  /** Opens a file, or writes to an open one, such as standard output. */
  constructor(file: string | number) {
    this.#file = typeof file === 'number' ? file : openSync(file, 'w');
  }

  /** The bytes written so far. */
  get sizeBytes(): number {
    return this.#flushed + this.#used;
  }

  /** Writes ASCII text. */
  ascii(text: string): void {
    if (this.#used + text.length > BLOCK_BYTES) this.#flush();
    if (text.length > BLOCK_BYTES) this.bytes(Buffer.from(text, 'latin1'));
    else this.#used += this.#block.write(text, this.#used, 'latin1');
  }

  text(text: string): void {
    this.bytes(Buffer.from(text));
  }

  bytes(bytes: Uint8Array): void {
    if (this.#used + bytes.length > BLOCK_BYTES) this.#flush();
    if (bytes.length > BLOCK_BYTES) this.#write(bytes);
    else {
      this.#block.set(bytes, this.#used);
      this.#used += bytes.length;
    }
  }

  /** Replaces bytes that are already in the file, such as a header with offsets. */
  patch(bytes: Uint8Array, position: number): void {
    this.#flush();
    for (let at = 0; at < bytes.length;)
      at += writeSync(this.#file, bytes, at, bytes.length - at, position + at);
  }

  /** Writes what is left. With `sync` the bytes are on disk and the file is closed afterwards. */
  end({ sync }: { readonly sync: boolean }): void {
    this.#flush();
    if (!sync) return;
    fsyncSync(this.#file);
    this.close();
  }

  /** Closes the file, once. */
  close(): void {
    if (!this.#isClosed) closeSync(this.#file);
    this.#isClosed = true;
  }

  #flush(): void {
    this.#write(this.#block.subarray(0, this.#used));
    this.#used = 0;
  }

  #write(bytes: Uint8Array): void {
    for (let at = 0; at < bytes.length;) at += writeSome(this.#file, bytes, at);
    this.#flushed += bytes.length;
  }
}

/** Writes what the file accepts now. A pipe or socket that is full is tried again. */
function writeSome(file: number, bytes: Uint8Array, at: number): number {
  for (;;) {
    try {
      return writeSync(file, bytes, at);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EAGAIN') throw error;
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, FULL_PIPE_MS);
    }
  }
}

const FULL_PIPE_MS = 5;

/** The path that stands for standard output. */
export const STDOUT = '-';

/**
 * Writes a file and replaces the one at `path` when it is complete. The path `-` is standard output. Returns the size in
 * bytes.
 */
export async function writeWhole(
  path: string,
  write: (writer: BlockWriter) => void | Promise<void>,
): Promise<number> {
  if (path === STDOUT) return writeStdout(write);
  const draft = join(dirname(resolve(path)), `.tmp-${basename(path)}-${process.pid}`);
  const writer = new BlockWriter(draft);
  try {
    await write(writer);
    writer.end({ sync: true });
  } catch (error) {
    writer.close();
    rmSync(draft, { force: true });
    throw withPath(error, path);
  }
  renameSync(draft, path);
  return writer.sizeBytes;
}

async function writeStdout(write: (writer: BlockWriter) => void | Promise<void>): Promise<number> {
  const writer = new BlockWriter(process.stdout.fd);
  try {
    await write(writer);
    writer.end({ sync: false });
  } catch (error) {
    // A reader may close the pipe early (`| head`): that is not an error.
    if ((error as NodeJS.ErrnoException).code !== 'EPIPE') throw withPath(error, 'standard output');
  }
  return writer.sizeBytes;
}

/** Adds the path to an error of the file system that has none, as those of an open file: a full disk, for example. */
function withPath(error: unknown, path: string): unknown {
  if (error instanceof Error && 'syscall' in error && !('path' in error)) Object.assign(error, { path });
  return error;
}
