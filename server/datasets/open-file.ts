import { open, type FileHandle } from 'node:fs/promises';
import type { Readable } from 'node:stream';
import { Failure } from '../failure.js';
import type { DatasetFile } from '../release/snapshot.js';
import type { ByteRange } from './byte-range.js';

/** An open dataset file. A release published in the meantime does not change it. */
export interface OpenDataset {
  /** Streams the bytes and closes the file at the end. */
  stream(range: ByteRange): Readable;
  close(): Promise<void>;
}

/** Opens a file of a release. Throws Failure(500) when it is unreadable or its size differs from the manifest. */
export async function openDataset(file: DatasetFile): Promise<OpenDataset> {
  const handle = await openOrFail(file.path);
  try {
    await checkSize(handle, file);
  } catch (error) {
    await handle.close();
    throw error;
  }
  return {
    stream: ({ start, end }) => handle.createReadStream({ start, end, highWaterMark: CHUNK_BYTES }),
    close: () => handle.close(),
  };
}

const CHUNK_BYTES = 256 * 1024;

async function openOrFail(path: string): Promise<FileHandle> {
  try {
    return await open(path, 'r');
  } catch (cause) {
    throw new Failure(500, 'cannot read the dataset file', {}, { cause });
  }
}

async function checkSize(handle: FileHandle, { path, sizeBytes }: DatasetFile): Promise<void> {
  const { size } = await handle.stat();
  if (size === sizeBytes) return;
  throw new Failure(
    500,
    'the dataset file is damaged',
    {},
    { cause: new Error(`${path} has ${size} bytes, expected ${sizeBytes}`) },
  );
}
