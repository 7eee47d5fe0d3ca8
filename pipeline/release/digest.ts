import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';

/** What a file holds, in short: lower-case hex sha256 and size. */
export interface FileDigest {
  readonly sha256: string;
  readonly sizeBytes: number;
}

/** Reads a file once, in chunks. Throws the system's error when it cannot be read. */
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

/** Lower-case hex sha256 of a text's UTF-8 bytes. */
export function sha256Text(text: string): string {
  return createHash('sha256').update(text, 'utf8').digest('hex');
}

const CHUNK_BYTES = 1 << 20;
