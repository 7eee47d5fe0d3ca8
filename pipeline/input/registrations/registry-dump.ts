import { FeedError } from '../feed-error.js';
import type { OpenFile } from '../published-source.js';
import type { GeofeedReference } from './geofeed-blocks.js';

/** Receives the references of a dump. Positions are byte offsets in the unpacked dump. */
export interface ReferenceVisitor {
  reference(reference: GeofeedReference, position: number): void;
}

/**
 * Reads the dump of a registry in RPSL (RFC 2622): objects with an attribute per line and a blank line between them.
 * Calls the visitor for each `inetnum` and `inet6num` with a geofeed (RFC 9632 §3): in the attribute `geofeed`, else in
 * the first `remarks` that begins with `Geofeed`. The dump has gigabytes, and one object in a hundred has a geofeed:
 * only objects that contain one of the two words are decoded. Throws FeedError `container` for an object of more than
 * 8 MB.
 */
export async function readRegistryDump(
  file: Pick<OpenFile, 'id'>,
  bytes: AsyncIterable<Buffer>,
  visitor: ReferenceVisitor,
): Promise<void> {
  const scan = new DumpScan(visitor);
  let pending: Buffer[] = [];
  let pendingBytes = 0;
  for await (const chunk of bytes) {
    pending.push(chunk);
    pendingBytes += chunk.length;
    if (pendingBytes < BLOCK_BYTES) continue;
    const block = Buffer.concat(pending, pendingBytes);
    const rest = block.subarray(scan.readObjects(block));
    if (rest.length > OBJECT_BYTES) {
      throw new FeedError('container', file.id, `an object has more than ${OBJECT_BYTES} bytes: not a dump`);
    }
    pending = [rest];
    pendingBytes = rest.length;
  }
  scan.readLast(Buffer.concat(pending, pendingBytes));
}

/** Finds the objects with a geofeed in a dump, block by block. */
class DumpScan {
  readonly #visitor: ReferenceVisitor;
  /** The bytes in the blocks before this one. */
  #bytesBefore = 0;

  constructor(visitor: ReferenceVisitor) {
    this.#visitor = visitor;
  }

  /** Reads the complete objects of a block and returns their length in bytes. */
  readObjects(block: Buffer): number {
    const end = endOfObjects(block);
    this.#scan(block.subarray(0, end));
    this.#bytesBefore += end;
    return end;
  }

  /** Reads the end of the dump, where the last object may lack its blank line. */
  readLast(block: Buffer): void {
    this.#scan(block);
  }

  #scan(block: Buffer): void {
    let attribute = block.indexOf(ATTRIBUTE);
    let remark = block.indexOf(REMARK);
    while (attribute >= 0 || remark >= 0) {
      const found = attribute < 0 || (remark >= 0 && remark < attribute) ? remark : attribute;
      const start = startOfObject(block, found);
      const end = endOfObject(block, found);
      this.#readObject(block.subarray(start, end), this.#bytesBefore + start);
      if (attribute >= 0 && attribute < end) attribute = block.indexOf(ATTRIBUTE, end);
      if (remark >= 0 && remark < end) remark = block.indexOf(REMARK, end);
    }
  }

  #readObject(object: Buffer, position: number): void {
    const lines = linesOf(object);
    const network = firstMatch(lines.slice(0, 1), /^inet6?num:([^#]*)/i)?.trim();
    if (network === undefined) return;
    const url = firstMatch(lines, /^geofeed:\s*(\S+)/i) ?? firstMatch(lines, /^remarks:\s*Geofeed\s+(\S+)/);
    if (url === undefined) return;
    const modified = Date.parse(firstMatch(lines, /^last-modified:\s*(\S+)/i) ?? '');
    this.#visitor.reference({ network, url, modified: secondsOf(modified) }, position);
  }
}

/** The size of the blocks that are searched at once. */
const BLOCK_BYTES = 1 << 20;
const OBJECT_BYTES = 8 << 20;
const ATTRIBUTE = Buffer.from('geofeed:');
/** The token of the remark is case-sensitive (RFC 9632 §3). */
const REMARK = Buffer.from('Geofeed ');
const BLANK_LINE = Buffer.from('\n\n');
const CRLF_BLANK_LINE = Buffer.from('\n\r\n');

/** Returns the length of the complete objects in a block: the end of its last blank line. */
function endOfObjects(block: Buffer): number {
  return afterLast(block, BLANK_LINE) || afterLast(block, CRLF_BLANK_LINE);
}

function startOfObject(block: Buffer, at: number): number {
  const before = block.subarray(0, at);
  const start = afterLast(before, BLANK_LINE);
  // The search for the other kind of blank line ends where this one was found.
  return start + afterLast(before.subarray(start), CRLF_BLANK_LINE);
}

function endOfObject(block: Buffer, at: number): number {
  const end = block.indexOf(BLANK_LINE, at);
  const object = block.subarray(at, end < 0 ? block.length : end);
  const crlf = object.indexOf(CRLF_BLANK_LINE);
  return at + (crlf < 0 ? object.length : crlf);
}

function afterLast(block: Buffer, separator: Buffer): number {
  const found = block.lastIndexOf(separator);
  return found < 0 ? 0 : found + separator.length;
}

/** Returns the lines without comments, from the first attribute on. */
function linesOf(object: Buffer): string[] {
  const lines = object.toString('latin1').split(/\r?\n/);
  return lines.filter((line) => line !== '' && !line.startsWith('#') && !line.startsWith('%'));
}

function firstMatch(lines: readonly string[], pattern: RegExp): string | undefined {
  for (const line of lines) {
    const [, found] = pattern.exec(line) ?? [];
    if (found !== undefined) return found;
  }
  return undefined;
}

/** Returns whole seconds since 1970 in 32 bits; undefined for other times. */
function secondsOf(ms: number): number | undefined {
  const seconds = Math.floor(ms / 1000);
  return seconds >= 0 && seconds <= 0xffff_ffff ? seconds : undefined;
}
