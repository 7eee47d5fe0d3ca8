import { open } from 'node:fs/promises';
import { pipeline, Readable } from 'node:stream';
import { crc32, createInflateRaw } from 'node:zlib';
import { openPromise, type Entry, type ZipFile } from 'yauzl';
import { CHUNK_BYTES, damaged, refuseOtherContainers } from './containers.js';
import type { OpenFile } from './feed.js';
import { FeedError } from './feed-error.js';

/** An opened zip. Entries may be read in any order, any number of times. */
export interface ZipArchive {
  /** Entry names in the order of the central directory, folders left out. */
  readonly names: readonly string[];
  /** When an entry was last written, by its packer's clock; absent for an unknown name and where the zip says nothing. */
  modifiedAt(name: string): Date | undefined;
  /**
   * The unpacked bytes of an entry, in chunks. Throws FeedError `missing` for an unknown name and `truncated` when
   * the bytes are not those the directory promises (size, CRC-32).
   */
  read(name: string): AsyncIterable<Buffer>;
}

/**
 * Opens a zip (APPNOTE.TXT 6.3), hands it to `use` and closes it. Throws FeedError `container` when the file is no
 * zip we can read and `truncated` when its central directory is missing or damaged.
 */
export async function withZip<T>(file: OpenFile, use: (zip: ZipArchive) => Promise<T>): Promise<T> {
  await refuseOtherContainers(file);
  const zip = await openZip(file);
  try {
    const entries = await readDirectory(file, zip);
    const progress = new Progress(file);
    const answer = await use({
      names: [...entries.keys()],
      modifiedAt: (name) => modificationOf(entries.get(name)),
      read: (name) => readEntry(file, zip, { entry: entries.get(name), name, progress }),
    });
    progress.finish();
    return answer;
  } finally {
    zip.close();
  }
}

/** Seconds since 1970 where there is an extended timestamp, else MS-DOS local time, taken for UTC (APPNOTE.TXT §4.4.6). */
function modificationOf(entry: Entry | undefined): Date | undefined {
  const date = entry?.getLastModDate({ timezone: 'UTC' });
  // MS-DOS counts from 1980 on: packers without a clock write 0 or its first day.
  return date !== undefined && date.getTime() > Date.UTC(1980, 0, 2) ? date : undefined;
}

/** Packed bytes reported to `file.onRead`: each once, at the end all of them, skipped entries included. */
class Progress {
  readonly #file: OpenFile;
  readonly #seen = new Set<string>();
  #reported = 0;

  constructor(file: OpenFile) {
    this.#file = file;
  }

  /** The reporter for one reading of an entry; a second reading reports nothing. */
  reporterOf(name: string): (bytes: number) => void {
    if (this.#seen.has(name)) return () => undefined;
    this.#seen.add(name);
    return (bytes) => {
      this.#reported += bytes;
      this.#file.onRead(bytes);
    };
  }

  finish(): void {
    if (this.#reported < this.#file.sizeBytes) this.#file.onRead(this.#file.sizeBytes - this.#reported);
  }
}

async function openZip(file: OpenFile): Promise<ZipFile> {
  try {
    return await openPromise(file.path, { autoClose: false });
  } catch (error) {
    throw damaged(file, 'zip', error);
  }
}

async function readDirectory(file: OpenFile, zip: ZipFile): Promise<ReadonlyMap<string, Entry>> {
  const entries = new Map<string, Entry>();
  try {
    for await (const entry of zip.eachEntry()) {
      if (entry.fileName.endsWith('/')) continue;
      if (entries.has(entry.fileName)) {
        throw new FeedError('container', file.id, `two entries of the zip are called ${entry.fileName}`);
      }
      entries.set(entry.fileName, entry);
    }
  } catch (error) {
    throw damaged(file, 'zip directory', error);
  }
  await checkDirectoryEnd(file, zip);
  return entries;
}

/** The end record tells how many entries there are: a smaller number would hide the rest of them. */
async function checkDirectoryEnd(file: OpenFile, zip: ZipFile): Promise<void> {
  const handle = await open(file.path);
  try {
    // The types of yauzl 3.4.0 call this offset a boolean.
    const end = Number(zip.readEntryCursor);
    const { bytesRead, buffer } = await handle.read(Buffer.alloc(4), 0, 4, end);
    const signature = bytesRead === 4 ? buffer.readUInt32LE() : 0;
    if (signature === END_RECORD || signature === ZIP64_END_RECORD) return;
    throw new FeedError('truncated', file.id, `damaged zip directory: it does not end at byte ${end}`);
  } finally {
    await handle.close();
  }
}

/** APPNOTE.TXT §4.3.16 and §4.3.14. */
const END_RECORD = 0x06054b50;
const ZIP64_END_RECORD = 0x06064b50;

interface Reading {
  readonly entry: Entry | undefined;
  readonly name: string;
  readonly progress: Progress;
}

async function* readEntry(file: OpenFile, zip: ZipFile, { entry, name, progress }: Reading) {
  if (entry === undefined) throw new FeedError('missing', file.id, `no entry ${name} in the zip`);
  if (!entry.canDecodeFileData()) {
    throw new FeedError('container', file.id, `${name} is packed in a way that is not read`);
  }
  let sizeBytes = 0;
  let checksum = 0;
  try {
    for await (const chunk of unpack(zip, entry, progress.reporterOf(name))) {
      sizeBytes += chunk.length;
      // A zip bomb declares less than it holds.
      if (sizeBytes > entry.uncompressedSize) break;
      checksum = crc32(chunk, checksum);
      yield chunk;
    }
  } catch (error) {
    throw damaged(file, `zip entry ${name}`, error);
  }
  if (sizeBytes !== entry.uncompressedSize) {
    const found = `${sizeBytes} bytes or more where the directory promises ${entry.uncompressedSize}`;
    throw new FeedError('truncated', file.id, `damaged zip entry ${name}: ${found}`);
  }
  if (checksum !== entry.crc32)
    throw new FeedError('truncated', file.id, `damaged zip entry ${name}: wrong CRC-32`);
}

async function* unpack(zip: ZipFile, entry: Entry, onRead: (bytes: number) => void): AsyncGenerator<Buffer> {
  const packed = reported(await zip.openReadStreamPromise(entry, { decodeFileData: false }), onRead);
  if (entry.compressionMethod === STORED) {
    yield* packed;
    return;
  }
  const unpacked = createInflateRaw({ chunkSize: CHUNK_BYTES });
  // The error reaches us through the iterator; the callback only keeps it from being thrown twice.
  pipeline(Readable.from(packed), unpacked, () => undefined);
  yield* unpacked as AsyncIterable<Buffer>;
}

async function* reported(
  chunks: AsyncIterable<Buffer>,
  onRead: (bytes: number) => void,
): AsyncGenerator<Buffer> {
  for await (const chunk of chunks) {
    onRead(chunk.length);
    yield chunk;
  }
}

const STORED = 0;
