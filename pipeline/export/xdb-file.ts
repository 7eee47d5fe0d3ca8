import { newAddress, type Address, type Family } from '../net/address.js';
import { writeWhole, type BlockWriter } from './block-writer.js';
import { ExportError } from './export-error.js';
import type { WrittenFile } from './export-source.js';
import type { RangeVisitor } from './region-ranges.js';

const HEADER_BYTES = 256;
const CELL_BYTES = 8;
const CELLS = 65_536;
const VERSION = 3;
/** The index is reached through the vector of cells. */
const VECTOR_POLICY = 1;
const POINTER_BYTES = 4;

/** Content of an xdb file. */
export interface XdbContent {
  readonly family: Family;
  /** In seconds since 1970. */
  readonly createdAt: number;
  /** Text between the vector and the regions, where no pointer leads. */
  readonly notice: string;
  /** Calls the visitor with the ranges in address order; it is called twice. */
  readonly ranges: (visit: RangeVisitor) => void;
}

/**
 * Writes an xdb file of ip2region, structure 3.0 (https://github.com/lionsoul2014/ip2region, ip2region.js `util.js`):
 *
 *     header 256 | vector 65,536 x (first u32, end u32) | regions | segments | 0
 *     segment: first address, last address, length u16 and offset u32 of the region
 *
 * All numbers are little-endian, also the addresses of IPv4, not those of IPv6. A segment has addresses of one cell: the
 * first 16 bits are equal. Addresses without a segment have the answer "". The last segment is all 0, because readers look
 * at the segment after those of a cell. Throws ExportError when a region or the file is too large.
 */
export async function writeXdb(path: string, content: XdbContent): Promise<WrittenFile> {
  let rows = 0;
  const sizeBytes = await writeWhole(path, (writer) => {
    const vector = Buffer.alloc(CELLS * CELL_BYTES);
    writer.bytes(Buffer.alloc(HEADER_BYTES));
    writer.bytes(vector);
    writer.text(content.notice);
    const regions = writeRegions(writer, content);
    const first = writer.sizeBytes;
    const segments = new SegmentWriter(writer, content.family, vector);
    content.ranges((start, end, text) => {
      segments.range(start, end, regions.get(text)!);
    });
    rows = segments.count;
    const header = Buffer.alloc(HEADER_BYTES);
    header.writeUInt16LE(VERSION, 0);
    header.writeUInt16LE(VECTOR_POLICY, 2);
    header.writeUInt32LE(content.createdAt, 4);
    header.writeUInt32LE(first, 8);
    header.writeUInt32LE(first + Math.max(0, rows - 1) * segments.sizeBytes, 12);
    header.writeUInt16LE(content.family, 16);
    header.writeUInt16LE(POINTER_BYTES, 18);
    writer.bytes(Buffer.alloc(segments.sizeBytes));
    writer.patch(header, 0);
    writer.patch(vector, HEADER_BYTES);
  });
  return { path, sizeBytes, rows };
}

/** Where a region is in the file. */
interface Region {
  readonly offset: number;
  readonly lengthBytes: number;
}

function writeRegions(writer: BlockWriter, { ranges }: XdbContent): Map<string, Region> {
  const regions = new Map<string, Region>();
  ranges((_start, _end, text) => {
    if (regions.has(text)) return;
    const bytes = Buffer.from(text);
    if (bytes.length > 0xffff)
      throw new ExportError(`a region has ${bytes.length} bytes: expected at most 65535`);
    regions.set(text, { offset: requireOffset(writer), lengthBytes: bytes.length });
    writer.bytes(bytes);
  });
  return regions;
}

function requireOffset({ sizeBytes }: BlockWriter): number {
  if (sizeBytes > 0xffffffff - CELL_BYTES * CELLS)
    throw new ExportError('the xdb file has more than 4 GiB, the most that its offsets allow');
  return sizeBytes;
}

/** Divides ranges at the bounds of cells, writes them and notes where the segments of each cell are. */
class SegmentWriter {
  readonly sizeBytes: number;
  count = 0;
  readonly #segment: Buffer;
  readonly #first = newAddress();
  readonly #last = newAddress();

  constructor(
    private readonly writer: BlockWriter,
    private readonly family: Family,
    private readonly vector: Buffer,
  ) {
    this.sizeBytes = family === 4 ? 14 : 38;
    this.#segment = Buffer.alloc(this.sizeBytes);
  }

  range(start: Address, end: Address, region: Region): void {
    // The word with the bits that choose the cell.
    const word = this.family === 4 ? 3 : 0;
    const lastCell = end[word]! >>> 16;
    for (let cell = start[word]! >>> 16; cell <= lastCell; cell++) {
      this.#first.set(start);
      this.#last.set(end);
      if (cell > start[word]! >>> 16) this.#first.fill(0, word).fill((cell << 16) >>> 0, word, word + 1);
      if (cell < lastCell)
        this.#last.fill(0xffffffff, word).fill(((cell << 16) | 0xffff) >>> 0, word, word + 1);
      this.#write(cell, region);
    }
  }

  #write(cell: number, { offset, lengthBytes }: Region): void {
    const at = requireOffset(this.writer);
    if (this.vector.readUInt32LE(cell * CELL_BYTES) === 0) this.vector.writeUInt32LE(at, cell * CELL_BYTES);
    this.vector.writeUInt32LE(at + this.sizeBytes, cell * CELL_BYTES + 4);
    const segment = this.#segment;
    let used = this.#writeAddress(this.#first, 0);
    used = this.#writeAddress(this.#last, used);
    used = segment.writeUInt16LE(lengthBytes, used);
    segment.writeUInt32LE(offset, used);
    this.writer.bytes(segment);
    this.count++;
  }

  #writeAddress(address: Address, at: number): number {
    if (this.family === 4) return this.#segment.writeUInt32LE(address[3]!, at);
    return address.reduce((next, word) => this.#segment.writeUInt32BE(word, next), at);
  }
}
