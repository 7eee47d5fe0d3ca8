import type { OpenFile } from './published-source.js';
import { FeedError } from './feed-error.js';

/** The maximum depth of arrays and objects. Published files have up to 8. */
export const MAX_JSON_DEPTH = 64;
/**
 * The maximum number of values in a document that is parsed as a whole. The largest list is NordVPN's: 187 values for
 * each of 8,000 to 10,000 servers, less than half of the maximum.
 */
export const MAX_JSON_VALUES = 4_000_000;
/** The maximum size of a value in a document that is parsed value by value. */
export const MAX_JSON_VALUE_BYTES = 4_000_000;

/** How a document is parsed, which decides what is limited besides its depth. */
export interface JsonParsing {
  /** The depth of the values that are parsed one by one. Absent when the document is parsed as a whole. */
  readonly valueDepth?: number;
}

/**
 * Limits the memory that a JSON text needs, by its bytes and before it is parsed: an array of two bytes needs more than
 * 64 bytes of memory. Does not check the syntax.
 */
export class JsonBounds {
  readonly #file: Pick<OpenFile, 'id'>;
  readonly #valueDepth: number;
  #depth = 0;
  #values = 1;
  #inString = false;
  #isEscaped = false;
  #offset = 0;
  /** The end of the last structural character at `valueDepth` or above. */
  #valueStart = 0;

  constructor(file: Pick<OpenFile, 'id'>, { valueDepth }: JsonParsing = {}) {
    this.#file = file;
    this.#valueDepth = valueDepth ?? -1;
  }

  /** Whether the text up to here ends inside an array, an object or a string. */
  get isOpen(): boolean {
    return this.#depth > 0 || this.#inString;
  }

  /** Reads the next bytes. Throws FeedError `too-deep`, or `too-large` for too many values or a value of too many bytes. */
  read(bytes: Buffer): void {
    for (let i = 0; i < bytes.length; i++) {
      const byte = bytes[i]!;
      this.#offset++;
      if (this.#inString) this.#readInString(byte);
      else if (byte === QUOTE) this.#inString = true;
      else this.#readOutside(byte);
    }
    this.#checkValue();
  }

  #readInString(byte: number): void {
    if (this.#isEscaped) this.#isEscaped = false;
    else if (byte === BACKSLASH) this.#isEscaped = true;
    else if (byte === QUOTE) this.#inString = false;
  }

  #readOutside(byte: number): void {
    if (byte === LEFT_BRACKET || byte === LEFT_BRACE) {
      this.#endPart();
      if (++this.#depth > MAX_JSON_DEPTH) {
        throw new FeedError('too-deep', this.#file.id, `JSON nested deeper than ${MAX_JSON_DEPTH}`);
      }
      this.#count();
    } else if (byte === RIGHT_BRACKET || byte === RIGHT_BRACE) {
      this.#depth--;
      this.#endPart();
    } else if (byte === COMMA) {
      this.#endPart();
      this.#count();
    }
  }

  #endPart(): void {
    if (this.#depth > this.#valueDepth) return;
    this.#checkValue();
    this.#valueStart = this.#offset;
  }

  #count(): void {
    if (this.#valueDepth >= 0 || ++this.#values <= MAX_JSON_VALUES) return;
    const most = MAX_JSON_VALUES.toLocaleString('en-US');
    throw new FeedError('too-large', this.#file.id, `JSON of more than ${most} values`);
  }

  #checkValue(): void {
    if (this.#valueDepth < 0 || this.#offset - this.#valueStart <= MAX_JSON_VALUE_BYTES) return;
    const most = MAX_JSON_VALUE_BYTES.toLocaleString('en-US');
    throw new FeedError('too-large', this.#file.id, `a JSON value of more than ${most} bytes`);
  }
}

const QUOTE = 0x22;
const COMMA = 0x2c;
const LEFT_BRACKET = 0x5b;
const BACKSLASH = 0x5c;
const RIGHT_BRACKET = 0x5d;
const LEFT_BRACE = 0x7b;
const RIGHT_BRACE = 0x7d;
