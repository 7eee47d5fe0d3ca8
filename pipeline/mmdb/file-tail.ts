import { open } from 'node:fs/promises';
import { METADATA_LIMIT_BYTES } from './encode-metadata.js';
import { readMetadata, type MmdbMetadata } from './metadata.js';

/** The end of an MMDB file: its metadata, and where it begins. */
export interface FileTail {
  readonly metadata: MmdbMetadata;
  /** The bytes before the metadata: search tree and data. */
  readonly bodyBytes: number;
  /** Marker and metadata, up to the end of the file. */
  readonly bytes: Buffer;
}

/**
 * Reads the metadata of an MMDB file from its last 128 KiB. Throws MmdbError with an offset in that part, and the errors
 * of the file system.
 */
export async function readFileTail(path: string): Promise<FileTail> {
  const file = await open(path, 'r');
  try {
    const { size: sizeBytes } = await file.stat();
    const length = Math.min(sizeBytes, METADATA_LIMIT_BYTES);
    const start = sizeBytes - length;
    const { bytesRead, buffer } = await file.read(Buffer.alloc(length), 0, length, start);
    const { metadata, markerOffset } = readMetadata(buffer.subarray(0, bytesRead));
    const bytes = buffer.subarray(markerOffset, bytesRead);
    return { metadata, bodyBytes: start + markerOffset, bytes };
  } finally {
    await file.close();
  }
}
