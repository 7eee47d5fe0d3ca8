import { open } from 'node:fs/promises';
import { pipeline, Readable } from 'node:stream';
import { crc32, createInflateRaw } from 'node:zlib';
import { openPromise, type Entry, type ZipFile } from 'yauzl';
import { CHUNK_BYTES, damaged, refuseOtherContainers } from './containers.js';
import type { OpenFile } from '../published-source.js';
import { FeedError } from '../feed-error.js';
import { limited } from './unpacked-size.js';

/** An open zip. Entries may be read in any order and repeatedly. */
export interface ZipArchive {
  /** The names of entries in the order of the central directory, without folders. */
  readonly names: readonly string[];
  /** Returns the modification time of an entry; undefined for an unknown name or when the zip has no time. */
  modifiedAt(name: string): Date | undefined;
  /**
   * Yields the unpacked bytes of an entry in chunks. Throws FeedError `missing` for an unknown name, and `truncated`
   * when size or CRC-32 differ from the directory, and `too-large`.
   */
  read(name: string): AsyncIterable<Buffer>;
}

/**
 * Opens a zip (APPNOTE.TXT 6.3), calls `use` with it and closes it. Throws FeedError `container` when the file is not a
 * supported zip, `truncated` when its central directory is missing or damaged, and `too-large`.
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

/** Returns the extended timestamp of an entry, else its MS-DOS local time read as UTC (APPNOTE.TXT §4.4.6). */
function modificationOf(entry: Entry | undefined): Date | undefined {
  const date = entry?.getLastModDate({ timezone: 'UTC' });
  // MS-DOS time begins in 1980. Packers without a clock write 0 or the first day.
  return date !== undefined && date.getTime() > Date.UTC(1980, 0, 2) ? date : undefined;
}

/** Reports packed bytes to `file.onRead`, each once. `finish` reports the rest, including skipped entries. */
class Progress {
  readonly #file: OpenFile;
  readonly #seen = new Set<string>();
  #reported = 0;

  constructor(file: OpenFile) {
    this.#file = file;
  }

  /** Returns the reporter for reading an entry. Reading the entry again reports nothing. */
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
  let bytes = 0;
  try {
    for await (const entry of zip.eachEntry()) {
      bytes += ENTRY_BYTES + entry.fileNameLength + entry.extraFieldLength + entry.fileCommentLength;
      if (bytes > MAX_DIRECTORY_BYTES) {
        const most = MAX_DIRECTORY_BYTES.toLocaleString('en-US');
        throw new FeedError('too-large', file.id, `zip directory of more than ${most} bytes`);
      }
      if (entry.fileName.endsWith('/')) continue;
      if (entries.has(entry.fileName)) {
        throw new FeedError('container', file.id, `two zip entries named ${entry.fileName}`);
      }
      entries.set(entry.fileName, entry);
    }
  } catch (error) {
    throw damaged(file, 'zip directory', error);
  }
  await checkDirectoryEnd(file, zip);
  return entries;
}

/** The size of an entry in the directory without its name, extra field and comment (APPNOTE.TXT §4.3.12). */
const ENTRY_BYTES = 46;
const MAX_DIRECTORY_BYTES = 8_000_000;

/** Checks that the end record follows the entries: a count that is too small would hide entries. */
async function checkDirectoryEnd(file: OpenFile, zip: ZipFile): Promise<void> {
  const handle = await open(file.path);
  try {
    // The types of yauzl 3.4.0 declare this offset as a boolean.
    const end = Number(zip.readEntryCursor);
    const { bytesRead, buffer } = await handle.read(Buffer.alloc(4), 0, 4, end);
    const signature = bytesRead === 4 ? buffer.readUInt32LE() : 0;
    if (signature === END_RECORD || signature === ZIP64_END_RECORD) return;
    throw new FeedError('truncated', file.id, `damaged zip directory: no end record at byte ${end}`);
  } finally {
    await handle.close();
  }
}

/** APPNOTE.TXT §4.3.16 and §4.3.14. */
const END_RECORD = 0x06054b50;
const ZIP64_END_RECORD = 0x06064b50;

interface EntryToRead {
  readonly entry: Entry | undefined;
  readonly name: string;
  readonly progress: Progress;
}

async function* readEntry(file: OpenFile, zip: ZipFile, { entry, name, progress }: EntryToRead) {
  if (entry === undefined) throw new FeedError('missing', file.id, `no entry ${name} in the zip`);
  if (!entry.canDecodeFileData()) {
    throw new FeedError('container', file.id, `unsupported compression of zip entry ${name}`);
  }
  let sizeBytes = 0;
  let checksum = 0;
  try {
    for await (const chunk of limited(file, unpack(zip, entry, progress.reporterOf(name)), name)) {
      sizeBytes += chunk.length;
      // A zip bomb unpacks to more than it declares.
      if (sizeBytes > entry.uncompressedSize) break;
      checksum = crc32(chunk, checksum);
      yield chunk;
    }
  } catch (error) {
    throw damaged(file, `zip entry ${name}`, error);
  }
  if (sizeBytes !== entry.uncompressedSize) {
    const found = `at least ${sizeBytes} bytes, the directory has ${entry.uncompressedSize}`;
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
  // The iterator throws the error; the empty callback prevents an unhandled second one.
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
