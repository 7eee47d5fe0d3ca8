import { open, type FileHandle } from 'node:fs/promises';
import { Readable } from 'node:stream';
import { Failure } from '../failure.js';
import type { SentFile } from '../release/snapshot.js';
import type { ByteRange } from './byte-range.js';
import { surround } from './surround.js';

/** An open dataset file. A release published in the meantime does not change it. */
export interface OpenDataset {
  /** Streams the bytes and closes the file at the end. */
  stream(range: ByteRange): Readable;
  close(): Promise<void>;
}

/** Opens a file of a release. Throws Failure(500) when it is unreadable or its size differs from the manifest. */
export async function openDataset(file: SentFile): Promise<OpenDataset> {
  const handle = await openOrFail(file.path);
  try {
    await checkSize(handle, file);
  } catch (error) {
    await handle.close();
    throw error;
  }
  return { stream: (range) => streamOf(handle, file, range), close: () => handle.close() };
}

const CHUNK_BYTES = 256 * 1024;

/** Streams a range of a file, or of an edition: of the body and then of the ending. */
function streamOf(handle: FileHandle, { ending }: SentFile, { start, end }: ByteRange): Readable {
  const ofFile = (from: number, to: number) =>
    handle.createReadStream({ start: from, end: to, highWaterMark: CHUNK_BYTES });
  if (ending === undefined || end < ending.bodyBytes) return ofFile(start, end);
  const { bodyBytes, bytes } = ending;
  const after = bytes.subarray(Math.max(0, start - bodyBytes), end - bodyBytes + 1);
  if (start >= bodyBytes) return fromMemory(handle, after);
  return surround(ofFile(start, bodyBytes - 1), { after });
}

/** Streams bytes that need no file, and closes the file. */
function fromMemory(handle: FileHandle, bytes: Buffer): Readable {
  const stream = Readable.from([bytes], { objectMode: false });
  stream.once('close', () => {
    // Nothing was written to the file, so closing it cannot lose anything.
    handle.close().catch(() => undefined);
  });
  return stream;
}

async function openOrFail(path: string): Promise<FileHandle> {
  try {
    return await open(path, 'r');
  } catch (cause) {
    throw new Failure(500, 'cannot read the dataset file', {}, { cause });
  }
}

async function checkSize(handle: FileHandle, { path, sizeBytes, ending }: SentFile): Promise<void> {
  const expected = ending?.fileBytes ?? sizeBytes;
  const { size } = await handle.stat();
  if (size === expected) return;
  throw new Failure(
    500,
    'the dataset file is damaged',
    {},
    { cause: new Error(`${path} has ${size} bytes, expected ${expected}`) },
  );
}
