import { createHash, type Hash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import type { ManifestEdition } from './contract.js';

/** A file and the ends that follow its first `bodyBytes` bytes. */
export interface Endings {
  readonly path: string;
  readonly bodyBytes: number;
  readonly tails: readonly Uint8Array[];
}

/**
 * Returns size, sha256 and md5 of the body with each of the tails. The body is read once. Throws the errors of the file
 * system.
 */
export async function digestEndings({
  path,
  bodyBytes,
  tails,
}: Endings): Promise<ManifestEdition['whole'][]> {
  const sha256 = createHash('sha256');
  const md5 = createHash('md5');
  if (bodyBytes > 0) {
    for await (const chunk of createReadStream(path, { end: bodyBytes - 1, highWaterMark: CHUNK_BYTES })) {
      sha256.update(chunk as Buffer);
      md5.update(chunk as Buffer);
    }
  }
  return tails.map((tail) => ({
    sizeBytes: bodyBytes + tail.length,
    sha256: digestWith(sha256, tail),
    md5: digestWith(md5, tail),
  }));
}

function digestWith(body: Hash, tail: Uint8Array): string {
  return body.copy().update(tail).digest('hex');
}

const CHUNK_BYTES = 1 << 20;
