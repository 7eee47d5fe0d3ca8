import { brotliCompressSync, brotliDecompressSync, constants } from 'node:zlib';
import { z } from 'zod';
import { parseJson } from '../text/parse-json.js';
import { ChangesError } from './changes-error.js';
import { ByteStream } from './byte-streams.js';
import { schemaTextSchema } from './schema-text.js';

/** Raised with every change to the format. */
export const FORMAT_VERSION = 1;

const fileSchema = z.strictObject({
  sha256: z.string().regex(/^[0-9a-f]{64}$/),
  sizeBytes: z.int().positive(),
});

const count = z.int().nonnegative();

/** The first line of a delta, as JSON. */
const headerSchema = z.strictObject({
  format: z.literal('ipatlas-changes'),
  version: z.int(),
  /** The version of the MMDB writer whose bytes are rebuilt. */
  writer: z.int(),
  /** The name of the dataset: geo, asn or isp. */
  dataset: z.string().max(100),
  from: fileSchema,
  to: fileSchema,
  ipVersion: z.union([z.literal(4), z.literal(6)]),
  /** The number of changed places, and of records that the old file does not have. */
  changes: count,
  records: count,
  schema: schemaTextSchema,
  /** The uncompressed sizes of the streams in bytes, in the order of STREAMS. */
  streams: z.array(count),
});
export type DeltaHeader = z.infer<typeof headerSchema>;
/** A file at one end of a delta. */
export type DeltaEnd = z.infer<typeof fileSchema>;

/** The streams of a delta in order. */
export const STREAMS = [
  'places',
  'codes',
  'known',
  'values',
  'shapes',
  'refs',
  'texts',
  'scalars',
  'tail',
] as const;
export type StreamName = (typeof STREAMS)[number];

/** A delta in memory. */
export interface Delta {
  readonly header: DeltaHeader;
  readonly streams: Readonly<Record<StreamName, ByteStream>>;
}

/** Encodes a delta: `[header as JSON][line feed][streams, compressed with brotli]`. */
export function encodeDelta(
  header: Omit<DeltaHeader, 'format' | 'version' | 'streams'>,
  streams: Readonly<Record<StreamName, Buffer>>,
): Buffer {
  const parts = STREAMS.map((name) => streams[name]);
  const raw = Buffer.concat(parts);
  const whole = headerSchema.parse({
    format: 'ipatlas-changes',
    version: FORMAT_VERSION,
    ...header,
    streams: parts.map((part) => part.length),
  });
  const body = brotliCompressSync(raw, {
    params: {
      [constants.BROTLI_PARAM_QUALITY]: raw.length <= THOROUGH_BYTES ? 11 : 9,
      [constants.BROTLI_PARAM_LGWIN]: 24,
      [constants.BROTLI_PARAM_SIZE_HINT]: raw.length,
    },
  });
  return Buffer.concat([Buffer.from(`${JSON.stringify(whole)}\n`), body]);
}

/** Streams up to this size are compressed with brotli's best quality, which takes about a second per 2 MB. */
const THOROUGH_BYTES = 8 << 20;

/** Reads the first line of a delta. Throws ChangesError when it is not one of this version. */
export function readDeltaHeader(bytes: Buffer): DeltaHeader {
  return splitHeader(bytes).header;
}

/** Decodes a delta. Throws ChangesError. Memory is bounded by the sizes in its header. */
export function decodeDelta(bytes: Buffer): Delta {
  const { header, body } = splitHeader(bytes);
  const total = header.streams.reduce((sum, size) => sum + size, 0);
  if (header.streams.length !== STREAMS.length || total > MAX_STREAM_BYTES)
    throw new ChangesError('damaged', 'damaged delta: its header names streams that it cannot have');
  const raw = decompress(body, total);
  let at = 0;
  const entries = STREAMS.map((name, i) => {
    const part = raw.subarray(at, (at += header.streams[i]!));
    return [name, new ByteStream(part, name)] as const;
  });
  return { header, streams: Object.fromEntries(entries) as Record<StreamName, ByteStream> };
}

/** No delta is offered when it is larger than its file; its streams are smaller than this. */
const MAX_STREAM_BYTES = 1 << 30;
const MAX_HEADER_BYTES = 64 << 10;
const versionSchema = z.object({ format: z.literal('ipatlas-changes'), version: z.int() });

function splitHeader(bytes: Buffer): { header: DeltaHeader; body: Buffer } {
  const end = bytes.subarray(0, MAX_HEADER_BYTES).indexOf(10);
  if (end < 0) throw new ChangesError('damaged', 'damaged delta: it does not begin with a line of JSON');
  const json = parseJson(bytes.toString('utf8', 0, end));
  const known = versionSchema.safeParse(json).data?.version;
  if (known !== undefined && known !== FORMAT_VERSION)
    throw new ChangesError('version', `delta of format ${known}: expected ${FORMAT_VERSION}`);
  const parsed = headerSchema.safeParse(json);
  if (!parsed.success)
    throw new ChangesError('damaged', 'damaged delta: its first line is not a header', {
      cause: parsed.error,
    });
  return { header: parsed.data, body: bytes.subarray(end + 1) };
}

function decompress(body: Buffer, sizeBytes: number): Buffer {
  let raw: Buffer;
  try {
    raw = brotliDecompressSync(body, { maxOutputLength: Math.max(1, sizeBytes) });
  } catch (cause) {
    throw new ChangesError('damaged', 'damaged delta: its streams cannot be decompressed', { cause });
  }
  if (raw.length === sizeBytes) return raw;
  throw new ChangesError('damaged', `damaged delta: ${raw.length} bytes of streams, expected ${sizeBytes}`);
}
