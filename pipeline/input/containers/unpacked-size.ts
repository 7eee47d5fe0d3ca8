import type { OpenFile } from '../published-source.js';
import { FeedError } from '../feed-error.js';

/** The maximum size of a file whose declaration has none: lists have up to 5 MB. */
export const DEFAULT_UNPACKED_BYTES = 32_000_000;

/**
 * Yields the unpacked bytes of a file, or of an entry of it, in chunks. Throws FeedError `too-large` at the first chunk
 * that exceeds `file.maxUnpackedBytes`, without reading on.
 */
export async function* limited(
  file: OpenFile,
  chunks: AsyncIterable<Buffer>,
  entry?: string,
): AsyncGenerator<Buffer, void, undefined> {
  const { id, maxUnpackedBytes } = file;
  let bytes = 0;
  for await (const chunk of chunks) {
    bytes += chunk.length;
    if (bytes > maxUnpackedBytes) {
      const of = entry === undefined ? '' : `zip entry ${entry}: `;
      const most = maxUnpackedBytes.toLocaleString('en-US');
      throw new FeedError('too-large', id, `${of}more than ${most} bytes unpacked`);
    }
    yield chunk;
  }
}
