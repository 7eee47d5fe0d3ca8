import { brotliDecompressSync, gunzipSync, inflateSync } from 'node:zlib';
import { Failure } from '../failure.js';

/** Limit of nested arrays and objects. Deeper ones would overflow the stack when they are encoded again. */
const DEEPEST = 32;

/** By the value of Content-Encoding (RFC 9110 §8.4.1). Synchronous: a body is small, and one is decoded at a time. */
const CODINGS = {
  gzip: gunzipSync,
  'x-gzip': gunzipSync,
  deflate: inflateSync,
  br: brotliDecompressSync,
} as const;

/** How a body is decoded. */
export interface Decoding {
  /** Content-Encoding of the request. */
  readonly coding: string | undefined;
  /** Limit after decompression. */
  readonly limitBytes: number;
  /** Returns the failure of a body that exceeds the limit. */
  readonly tooLarge: () => Failure;
}

/** Decompresses and parses a JSON body. Returns undefined for an empty body, and Failure(400) or (413). */
export function decodeBody(bytes: Buffer, decoding: Decoding): unknown {
  const coding = (decoding.coding ?? 'identity').trim().toLowerCase();
  if (coding === 'identity') return parseJson(bytes);
  if (!isKnown(coding)) {
    return new Failure(
      400,
      `unsupported Content-Encoding "${coding}": expected gzip, deflate, br or identity`,
    );
  }
  try {
    return parseJson(CODINGS[coding](bytes, { maxOutputLength: decoding.limitBytes }));
  } catch (error) {
    if (!(error instanceof Error) || !('code' in error)) throw error;
    if (error.code === 'ERR_BUFFER_TOO_LARGE') return decoding.tooLarge();
    return new Failure(400, `the body is not valid ${coding} data: ${error.message}`);
  }
}

function isKnown(coding: string): coding is keyof typeof CODINGS {
  return Object.hasOwn(CODINGS, coding);
}

function parseJson(bytes: Buffer): unknown {
  if (bytes.length === 0) return undefined;
  let value: unknown;
  try {
    // Every body is JSON, whatever its Content-Type: some clients send none. Drops a byte order mark.
    value = JSON.parse(new TextDecoder().decode(bytes));
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    return new Failure(400, 'the body is not valid JSON');
  }
  return whyUnsafe(value, DEEPEST) ?? value;
}

/** Returns why a value is not passed on: it is nested too deeply, or has a key that may replace a prototype. */
function whyUnsafe(value: unknown, levels: number): Failure | undefined {
  if (typeof value !== 'object' || value === null) return undefined;
  if (levels === 0) return new Failure(400, `the body has more than ${DEEPEST} levels`);
  if (Object.hasOwn(value, '__proto__')) return new Failure(400, 'the body has the key "__proto__"');
  for (const inner of Object.values(value)) {
    const failure = whyUnsafe(inner, levels - 1);
    if (failure !== undefined) return failure;
  }
  return undefined;
}
