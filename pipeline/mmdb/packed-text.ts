import { encodeControl, MAX_SIZE, TYPE_NUMBERS } from './encode.js';
import { MmdbEncodeError } from './encode-error.js';
import type { ByteColumn } from './byte-column.js';
import type { WordRuns } from './word-runs.js';

/** Packs strings into words for comparison and storage: `[length of UTF-8][UTF-8, padded with zeros]`. */
export class TextPacker {
  /** The string packed last. */
  words = new Uint32Array(256);
  #bytes = new Uint8Array(this.words.buffer);

  /**
   * Packs a string and returns its number of words. Throws MmdbEncodeError for a lone surrogate or more than 16,843,036
   * bytes. Encodes in place: most strings are so short that a call of the runtime's encoder would take longer.
   */
  pack(text: string): number {
    if (text.length > MAX_SIZE) throw tooLong(text.length);
    this.#reserve(3 * text.length);
    const bytes = this.#bytes;
    let at = HEADER_BYTES;
    for (let i = 0; i < text.length; i++) {
      const unit = text.charCodeAt(i);
      if (unit < 0x80) {
        bytes[at++] = unit;
      } else if (unit < 0x800) {
        bytes[at++] = 0xc0 | (unit >>> 6);
        bytes[at++] = 0x80 | (unit & 0x3f);
      } else if ((unit & 0xf800) !== 0xd800) {
        bytes[at++] = 0xe0 | (unit >>> 12);
        bytes[at++] = 0x80 | ((unit >>> 6) & 0x3f);
        bytes[at++] = 0x80 | (unit & 0x3f);
      } else {
        const code = pairAt(text, i++);
        bytes[at++] = 0xf0 | (code >>> 18);
        bytes[at++] = 0x80 | ((code >>> 12) & 0x3f);
        bytes[at++] = 0x80 | ((code >>> 6) & 0x3f);
        bytes[at++] = 0x80 | (code & 0x3f);
      }
    }
    if (at - HEADER_BYTES > MAX_SIZE) throw tooLong(at - HEADER_BYTES);
    return this.#finish(at);
  }

  #reserve(payloadBytes: number): void {
    const needed = 2 + (payloadBytes >>> 2);
    if (needed <= this.words.length) return;
    this.words = new Uint32Array(2 * needed);
    this.#bytes = new Uint8Array(this.words.buffer);
  }

  #finish(end: number): number {
    this.words[0] = end - HEADER_BYTES;
    let at = end;
    while ((at & 3) !== 0) this.#bytes[at++] = 0;
    return at >>> 2;
  }
}

/** Writes the string packed in a run. */
export function encodePackedText(runs: WordRuns, run: number, out: ByteColumn): void {
  const sizeBytes = runs.words[run]!;
  encodeControl(TYPE_NUMBERS.string, sizeBytes, out);
  out.reserve(sizeBytes);
  const target = out.bytes;
  const packed = runs.bytes;
  const from = 4 * run + HEADER_BYTES;
  let at = out.length;
  // Byte by byte: most strings are too short for a call of `copy` to pay off.
  for (let i = from; i < from + sizeBytes; i++) target[at++] = packed[i]!;
  out.length = at;
}

const HEADER_BYTES = 4;

/** Returns the code point of the surrogate pair at `index`. */
function pairAt(text: string, index: number): number {
  const high = text.charCodeAt(index);
  const low = text.charCodeAt(index + 1);
  if (high >= 0xdc00 || (low & 0xfc00) !== 0xdc00) throw new MmdbEncodeError('string with a lone surrogate');
  return 0x1_0000 + ((high & 0x3ff) << 10) + (low & 0x3ff);
}

function tooLong(lengthBytes: number): MmdbEncodeError {
  return new MmdbEncodeError(`string of ${lengthBytes} bytes: expected at most ${MAX_SIZE}`);
}
