import type { OpenFile } from '../published-source.js';
import { LINE_BYTES, lineTooLong } from './line-blocks.js';

/** A block of complete lines. */
export interface LineBlock {
  readonly bytes: Buffer;
  /** The start of each line, then the end of the last line. */
  readonly starts: readonly number[];
}

/** Finds the lines of a block of `file` after `linesBefore` lines. Throws FeedError `container` for a line over 64 KB. */
export function findLines(bytes: Buffer, file: Pick<OpenFile, 'id'>, linesBefore: number): LineBlock {
  const starts = [0];
  for (let start = 0; start < bytes.length;) {
    const found = bytes.indexOf(LF, start);
    const end = found < 0 ? bytes.length : found + 1;
    if (end - start > LINE_BYTES) throw lineTooLong(file, linesBefore + starts.length);
    starts.push(end);
    start = end;
  }
  return { bytes, starts };
}

/** Returns the text at the start of a file without its byte order mark. */
export function withoutBom(bytes: Buffer): Buffer {
  return bytes.subarray(0, BOM.length).equals(BOM) ? bytes.subarray(BOM.length) : bytes;
}

const LF = 10;
const BOM = Buffer.from([0xef, 0xbb, 0xbf]);
