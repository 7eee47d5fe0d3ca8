import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';

/** The sha256 (lower-case hex) and the size of a file. */
export interface FileDigest {
  readonly sha256: string;
  readonly sizeBytes: number;
}

/** Returns the digest of a file. Throws the system's error when the file cannot be read. */
export async function sha256File(path: string): Promise<FileDigest> {
  const hash = createHash('sha256');
  let sizeBytes = 0;
  for await (const chunk of createReadStream(path, { highWaterMark: CHUNK_BYTES })) {
    const bytes = chunk as Buffer;
    hash.update(bytes);
    sizeBytes += bytes.length;
  }
  return { sha256: hash.digest('hex'), sizeBytes };
}

/** Returns the sha256 of bytes in lower-case hex. */
export function sha256Bytes(bytes: Uint8Array): string {
  return createHash('sha256').update(bytes).digest('hex');
}

/** Returns the sha256 of a text's UTF-8 bytes in lower-case hex. */
export function sha256Text(text: string): string {
  return createHash('sha256').update(text, 'utf8').digest('hex');
}

const CHUNK_BYTES = 1 << 20;
