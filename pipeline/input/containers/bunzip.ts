import { spawn, type ChildProcessWithoutNullStreams } from 'node:child_process';
import { once } from 'node:events';
import { open } from 'node:fs/promises';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import unbzip2Stream from 'unbzip2-stream';
import { damaged, readRaw, refuseOtherContainers } from './containers.js';
import type { OpenFile } from '../published-source.js';
import { FeedError } from '../feed-error.js';
import { limited } from './unpacked-size.js';

/** The commands that unpack bzip2 from stdin, the fastest first. The first two use all cores. */
export const BUNZIP_COMMANDS: readonly string[] = ['lbzip2', 'pbzip2', 'bzip2'];

/**
 * Yields the unpacked bytes of a bzip2 file (all its streams) in chunks. Uses the first of `commands` that is
 * installed, else a bundled decompressor that takes four times as long as bzip2. Throws FeedError `container` when the
 * file is not bzip2, `truncated` when it ends early, a checksum is wrong, or the decompressor reports a problem, and
 * `too-large`.
 */
export async function* readBz2(
  file: OpenFile,
  commands: readonly string[] = BUNZIP_COMMANDS,
): AsyncGenerator<Buffer, void, undefined> {
  await refuseOtherContainers(file);
  await refuseCutTail(file);
  for (const command of commands) {
    const child = await startIfInstalled(command);
    if (child) return yield* limited(file, unpackBy(child, command, file));
  }
  yield* limited(file, unpackHere(file));
}

/**
 * Throws FeedError `truncated` when a file does not end with the footer of a stream: 48 bits of signature and 32 bits
 * of checksum, which begin at any bit, then zeros up to the byte. Otherwise lbzip2 would ignore an incomplete last
 * stream.
 */
async function refuseCutTail(file: OpenFile): Promise<void> {
  const handle = await open(file.path);
  try {
    const { size } = await handle.stat();
    const { buffer, bytesRead } = await handle.read(
      Buffer.alloc(TAIL_BYTES),
      0,
      TAIL_BYTES,
      Math.max(0, size - TAIL_BYTES),
    );
    const tail = BigInt(`0x0${buffer.toString('hex', 0, bytesRead)}`);
    const ends = [0n, 1n, 2n, 3n, 4n, 5n, 6n, 7n].some((zeros) => {
      return (
        BigInt.asUintN(48, tail >> (32n + zeros)) === STREAM_END && BigInt.asUintN(Number(zeros), tail) === 0n
      );
    });
    if (!ends) throw new FeedError('truncated', file.id, 'damaged bzip2: no stream footer at the end');
  } finally {
    await handle.close();
  }
}

const TAIL_BYTES = 11;
/** The digits of the square root of pi. */
const STREAM_END = 0x1772_4538_5090n;

async function startIfInstalled(command: string): Promise<ChildProcessWithoutNullStreams | undefined> {
  const child = spawn(command, ['-dc'], { stdio: 'pipe' });
  try {
    await once(child, 'spawn');
    return child;
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT' || code === 'EACCES') return undefined;
    throw error;
  }
}

async function* unpackBy(
  child: ChildProcessWithoutNullStreams,
  command: string,
  file: OpenFile,
): AsyncGenerator<Buffer, void, undefined> {
  let messages = '';
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    messages = (messages + text).slice(0, MESSAGE_CHARACTERS);
  });
  const closed = once(child, 'close') as Promise<[code: number | null, signal: string | null]>;
  const fed = pipeline(Readable.from(readRaw(file)), child.stdin).then(
    () => undefined,
    (error: unknown) => error,
  );
  try {
    for await (const chunk of child.stdout) yield chunk as Buffer;
    const unfed = await fed;
    const [code, signal] = await closed;
    // A decompressor that stops reading has printed the reason, or has considered the file complete.
    if (unfed !== undefined && !isBrokenPipe(unfed)) throw damaged(file, 'bzip2', unfed);
    if (code === 0 && messages === '' && unfed === undefined) return;
    const why = messages.trim().replace(/\s+/g, ' ') || `stopped early, ${signal ?? `exit code ${code}`}`;
    throw new FeedError('truncated', file.id, `damaged bzip2: ${command}: ${why}`);
  } finally {
    child.kill('SIGKILL');
    await closed;
    await fed;
  }
}

const MESSAGE_CHARACTERS = 300;

function isBrokenPipe(error: unknown): boolean {
  const { code } = error as NodeJS.ErrnoException;
  return code === 'EPIPE' || code === 'ERR_STREAM_PREMATURE_CLOSE';
}

async function* unpackHere(file: OpenFile): AsyncGenerator<Buffer, void, undefined> {
  const unpacker = unbzip2Stream();
  const unpacked: Buffer[] = [];
  const errors: Error[] = [];
  unpacker.on('data', (chunk: Buffer) => unpacked.push(chunk)).on('error', (error) => errors.push(error));
  for await (const chunk of readRaw(file)) {
    unpacker.write(chunk);
    if (errors.length > 0) break;
    yield* unpacked.splice(0);
  }
  if (errors.length === 0) unpacker.end();
  if (errors[0]) throw damaged(file, 'bzip2', errors[0]);
  yield* unpacked;
}
