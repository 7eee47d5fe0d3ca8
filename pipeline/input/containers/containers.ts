import { open, type FileHandle } from 'node:fs/promises';
import { pipeline, Readable } from 'node:stream';
import { createGunzip } from 'node:zlib';
import type { Container, OpenFile } from '../published-source.js';
import { FeedError } from '../feed-error.js';
import { limited } from './unpacked-size.js';

/**
 * Yields the bytes of a plain file in chunks. Throws FeedError `container` when the file is an HTML page or packed, and
 * `truncated` when it ends before its size, and `too-large`.
 */
export async function* readPlain(file: OpenFile): AsyncGenerator<Buffer, void, undefined> {
  await refuseOtherContainers(file);
  yield* limited(file, readRaw(file));
}

/**
 * Yields the unpacked bytes of a gzip file (RFC 1952; all its members) in chunks. Throws FeedError `container` when the
 * file is not gzip, `truncated` when it ends early or its checksum is wrong, and `too-large`.
 */
export async function* readGz(file: OpenFile): AsyncGenerator<Buffer, void, undefined> {
  await refuseOtherContainers(file);
  const unpacked = createGunzip({ chunkSize: CHUNK_BYTES });
  // The iterator throws the error; the empty callback prevents an unhandled second one.
  pipeline(Readable.from(readRaw(file)), unpacked, () => undefined);
  try {
    yield* limited(file, unpacked as AsyncIterable<Buffer>);
  } catch (error) {
    throw damaged(file, 'gzip', error);
  }
  // zlib treats a zero byte after a member, and everything after it, as padding.
  if (unpacked.bytesWritten < file.sizeBytes) {
    throw new FeedError(
      'truncated',
      file.id,
      `damaged gzip: no gzip member at byte ${unpacked.bytesWritten}`,
    );
  }
}

/**
 * Yields the bytes of a file as stored, in chunks, and reports them to `file.onRead`. Throws FeedError `truncated` when
 * the file ends before its size.
 */
export async function* readRaw(file: OpenFile): AsyncGenerator<Buffer, void, undefined> {
  const handle = await open(file.path);
  try {
    let total = 0;
    for (;;) {
      const { bytesRead, buffer } = await handle.read(Buffer.allocUnsafe(CHUNK_BYTES), 0, CHUNK_BYTES);
      if (bytesRead === 0) break;
      total += bytesRead;
      file.onRead(bytesRead);
      yield buffer.subarray(0, bytesRead);
    }
    if (total < file.sizeBytes) {
      throw new FeedError('truncated', file.id, `ends after ${total} of ${file.sizeBytes} bytes`);
    }
  } finally {
    await handle.close();
  }
}

/**
 * Checks the first bytes of a file. Throws FeedError `container` when they are not those of `file.container`, and
 * `truncated` when the file is empty.
 */
export async function refuseOtherContainers(file: OpenFile): Promise<void> {
  const head = await readHead(file);
  if (head.length === 0) throw new FeedError('truncated', file.id, 'the file is empty');
  const seen = containerOf(head, file.container);
  if (seen === file.container) return;
  throw new FeedError(
    'container',
    file.id,
    `expected ${EXPECTED[file.container]}, found ${describe(head, seen)}`,
  );
}

/**
 * Converts an error of unpacking to FeedError `truncated`. Returns errors of the operating system and FeedErrors
 * unchanged.
 */
export function damaged(file: OpenFile, what: string, error: unknown): unknown {
  if (!(error instanceof Error) || error instanceof FeedError || 'syscall' in error) return error;
  return new FeedError('truncated', file.id, `damaged ${what}: ${error.message}`, { cause: error });
}

/** The size of chunks. */
export const CHUNK_BYTES = 512 * 1024;

const HEAD_BYTES = 512;
const EXPECTED: Record<Container, string> = {
  zip: 'a zip',
  gz: 'a gzip file',
  bz2: 'a bzip2 file',
  plain: 'unpacked text',
};

async function readHead(file: OpenFile): Promise<Buffer> {
  let handle: FileHandle | undefined;
  try {
    handle = await open(file.path);
    const { bytesRead, buffer } = await handle.read(Buffer.alloc(HEAD_BYTES), 0, HEAD_BYTES, 0);
    return buffer.subarray(0, bytesRead);
  } finally {
    await handle?.close();
  }
}

/**
 * Returns the container with the signature at the start of a file. `html` is an error page of a publisher. A file
 * that ends inside the signature of the `expected` container is still that container: its reader reports `truncated`.
 */
function containerOf(head: Buffer, expected: Container): Container | 'html' {
  if (
    expected !== 'plain' &&
    SIGNATURES[expected].some((bytes) => bytes.subarray(0, head.length).equals(head))
  )
    return expected;
  for (const container of ['zip', 'gz', 'bz2'] as const) {
    if (SIGNATURES[container].some((bytes) => head.subarray(0, bytes.length).equals(bytes))) return container;
  }
  return HTML.test(head.toString('utf8')) ? 'html' : 'plain';
}

/** The signatures of the containers. A zip without entries consists of the end record, the second one. */
const SIGNATURES = {
  zip: [Buffer.from('PK\u0003\u0004', 'latin1'), Buffer.from('PK\u0005\u0006', 'latin1')],
  gz: [Buffer.from([0x1f, 0x8b, 0x08])],
  bz2: [Buffer.from('BZh', 'latin1')],
} as const;

const HTML = /^(\u{feff}|\s)*(<\?xml[^>]*>\s*)?<(!doctype\s+html|html|head|body)\b/iu;

function describe(head: Buffer, seen: Container | 'html'): string {
  if (seen === 'zip' || seen === 'gz' || seen === 'bz2') return EXPECTED[seen];
  const text = head.subarray(0, EXCERPT_BYTES).toString('utf8');
  const printable = !/[\u{0}-\u{8}\u{e}-\u{1f}\u{fffd}]/u.test(text.slice(0, -1));
  if (!printable) return `bytes ${head.subarray(0, 8).toString('hex')}`;
  return `${seen === 'html' ? 'an HTML page' : 'text'}: ${JSON.stringify(text.replace(/\s+/g, ' ').trim())}`;
}

const EXCERPT_BYTES = 80;
