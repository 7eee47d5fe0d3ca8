import { UpstreamError } from '../upstream-error.js';

/** Returns the error for a truncated or contradictory message, or one that would take too long to decode. */
export function malformed(why: string): UpstreamError {
  return new UpstreamError('malformed', `DNS message: ${why}`);
}

/**
 * Reads a message in wire format (RFC 1035 §4.1) sequentially up to its end. Throws UpstreamError('malformed') beyond
 * it.
 */
export class WireReader {
  constructor(
    readonly bytes: Buffer,
    /** Position from the start of the message, which is also the base of name pointers. */
    public offset = 0,
    readonly end = bytes.length,
  ) {}

  get left(): number {
    return this.end - this.offset;
  }

  u8(): number {
    return this.bytes.readUInt8(this.#take(1));
  }

  u16(): number {
    return this.bytes.readUInt16BE(this.#take(2));
  }

  u32(): number {
    return this.bytes.readUInt32BE(this.#take(4));
  }

  /** Returns a view into the message. */
  take(lengthBytes: number): Buffer {
    const start = this.#take(lengthBytes);
    return this.bytes.subarray(start, start + lengthBytes);
  }

  /** Reads a length byte and that many bytes (RFC 1035 §3.3, character-string). */
  characterString(): Buffer {
    return this.take(this.u8());
  }

  /** Returns a reader limited to the next bytes and skips them. */
  part(lengthBytes: number): WireReader {
    const start = this.#take(lengthBytes);
    return new WireReader(this.bytes, start, start + lengthBytes);
  }

  /**
   * Reads a name, compressed or not (RFC 1035 §4.1.4). Returns lower case text without a trailing dot, `.` for the
   * root. Special characters are escaped, so two names are equal exactly when their texts are.
   */
  name(): string {
    const labels: string[] = [];
    let lengthBytes = 1;
    let jumps = 0;
    // Start of the current part of the name. Pointers must go to before it, so every chain ends.
    let start = this.offset;
    // eslint-disable-next-line @typescript-eslint/no-this-alias -- reading continues in another reader after a pointer
    let from: WireReader = this;
    for (;;) {
      const head = from.u8();
      if (head === 0) return labels.length === 0 ? '.' : labels.join('.');
      if (head < POINTER) {
        if (head > MAX_LABEL) throw malformed('unknown label type');
        lengthBytes += 1 + head;
        if (lengthBytes > MAX_NAME) throw malformed('name longer than 255 bytes');
        labels.push(labelText(from.take(head)));
        continue;
      }
      const target = ((head & ~POINTER) << 8) | from.u8();
      if (target >= start) throw malformed('pointer not backwards');
      if (++jumps > MAX_JUMPS) throw malformed(`more than ${MAX_JUMPS} pointers in a name`);
      start = target;
      from = new WireReader(this.bytes, target);
    }
  }

  #take(lengthBytes: number): number {
    const start = this.offset;
    if (start + lengthBytes > this.end) throw malformed(`truncated at byte ${this.end}`);
    this.offset = start + lengthBytes;
    return start;
  }
}

/** Size limits in bytes (RFC 1035 §2.3.4). */
const MAX_LABEL = 63;
const MAX_NAME = 255;
/** The two highest bits of a length byte (RFC 1035 §4.1.4). */
const POINTER = 0xc0;
/** A name of 255 bytes has at most 127 labels. Without this limit, 64 kB of pointers cost 32,000 steps per name. */
const MAX_JUMPS = 127;

/** Lower-cases letters (RFC 4343 §2.1) and escapes characters: special ones as `\.`, invisible ones as `\007`. */
function labelText(label: Buffer): string {
  const text = label.toString('latin1');
  if (PLAIN_LABEL.test(text)) return text.toLowerCase();
  return text.replace(/[^]/g, (character) => {
    if (SPECIAL.test(character)) return `\\${character}`;
    const code = character.charCodeAt(0);
    return code > 0x20 && code < 0x7f ? character.toLowerCase() : escapedByte(code);
  });
}

/** Escapes a byte as `\007` (RFC 1035 §5.1). */
export function escapedByte(byte: number): string {
  return `\\${String(byte).padStart(3, '0')}`;
}

/** Labels without special characters. */
const PLAIN_LABEL = /^[a-zA-Z0-9_-]*$/;
/** Characters with a meaning in a master file (RFC 1035 §5.1). */
const SPECIAL = /["().;@$\\]/;
