import { FeedError } from '../feed-error.js';
import type { OpenFile } from '../published-source.js';

/** Reads a text block by block. */
export interface LineBlockReader {
  /** The number of lines in the blocks read so far. */
  readonly linesRead: number;
  /** Reads a block of complete lines. The last block may end without a line end, and may be empty. */
  readBlock(block: Buffer): void;
}

/**
 * Divides bytes into blocks of about 256 KB that end at line ends: large enough to amortise the set-up of a parser,
 * small enough for the cache. Throws FeedError `container` when a line is longer than a block may leave over.
 */
export async function readLineBlocks(
  file: Pick<OpenFile, 'id'>,
  bytes: AsyncIterable<Buffer>,
  reader: LineBlockReader,
): Promise<void> {
  let pending: Buffer[] = [];
  let pendingBytes = 0;
  for await (const chunk of bytes) {
    pending.push(chunk);
    pendingBytes += chunk.length;
    if (pendingBytes < BLOCK_BYTES) continue;
    const block = Buffer.concat(pending, pendingBytes);
    const end = block.lastIndexOf(LF) + 1;
    if (end > 0) reader.readBlock(block.subarray(0, end));
    const rest = block.subarray(end);
    if (rest.length > LINE_BYTES) throw lineTooLong(file, reader.linesRead + 1);
    pending = [rest];
    pendingBytes = rest.length;
  }
  reader.readBlock(Buffer.concat(pending, pendingBytes));
}

/** Creates the error for a line of more than LINE_BYTES: such a file is not text with a row per line. */
export function lineTooLong(file: Pick<OpenFile, 'id'>, line: number): FeedError {
  const limit = `${LINE_BYTES / 1024} KB`;
  return new FeedError('container', file.id, `line ${line} is longer than ${limit}: not a text of rows`);
}

/** The maximum length of a line in bytes. */
export const LINE_BYTES = 64 * 1024;

const BLOCK_BYTES = 256 * 1024;
const LF = 10;
