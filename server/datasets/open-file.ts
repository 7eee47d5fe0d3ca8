import { open, type FileHandle } from 'node:fs/promises';
import type { Readable } from 'node:stream';
import { Failure } from '../failure.js';
import type { DatasetFile } from '../release/snapshot.js';
import type { ByteRange } from './byte-range.js';

/** A dataset's file, open: what is published meanwhile does not touch it. */
export interface OpenDataset {
  /** Reads the bytes and closes the file, however that ends. */
  stream(range: ByteRange): Readable;
  close(): Promise<void>;
}

/** Opens a file of a release. Throws Failure(500) when it is not what the release's manifest says. */
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
    throw new Failure(500, 'the file cannot be read', {}, { cause });
  }
}

async function checkSize(handle: FileHandle, { path, sizeBytes }: DatasetFile): Promise<void> {
  const { size } = await handle.stat();
  if (size === sizeBytes) return;
  throw new Failure(500, 'the file is damaged', {}, { cause: new Error(`${path} has ${size} bytes`) });
}
