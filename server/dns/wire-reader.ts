import { UpstreamError } from '../upstream-error.js';

/** A message that breaks off, contradicts itself or wants to be read without end. */
export function malformed(why: string): UpstreamError {
  return new UpstreamError('malformed', `DNS message: ${why}`);
}

/**
 * Reads a message in wire format (RFC 1035 §4.1) from front to back, never beyond the end it was given. Throws
 * UpstreamError('malformed').
 */
export class WireReader {
  constructor(
    readonly bytes: Buffer,
    /** Where it stands, from the start of the message: pointers of names count from there. */
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

  /** A view; the message owns it. */
  take(lengthBytes: number): Buffer {
    const start = this.#take(lengthBytes);
    return this.bytes.subarray(start, start + lengthBytes);
  }

  /** A length byte and as many bytes (RFC 1035 §3.3, character-string). */
  characterString(): Buffer {
    return this.take(this.u8());
  }

  /** A reader of the next bytes alone; this one goes on behind them. */
  part(lengthBytes: number): WireReader {
    const start = this.#take(lengthBytes);
    return new WireReader(this.bytes, start, start + lengthBytes);
  }

  /**
   * A name, compressed or not (RFC 1035 §4.1.4), as text: lower case, no trailing dot, `.` for the root; what is no
   * plain character of a label is escaped, so that two names are equal when their texts are.
   */
  name(): string {
    const labels: string[] = [];
    let lengthBytes = 1;
    let jumps = 0;
    // Where the part of the name begins that is read: pointers go to what stands before it, and so come to an end.
    let start = this.offset;
    // eslint-disable-next-line @typescript-eslint/no-this-alias -- it reads on elsewhere after a pointer
    let from: WireReader = this;
    for (;;) {
      const head = from.u8();
      if (head === 0) return labels.length === 0 ? '.' : labels.join('.');
      if (head < POINTER) {
        if (head > MAX_LABEL) throw malformed('label of an unknown kind');
        lengthBytes += 1 + head;
        if (lengthBytes > MAX_NAME) throw malformed('name of more than 255 bytes');
        labels.push(labelText(from.take(head)));
        continue;
      }
      const target = ((head & ~POINTER) << 8) | from.u8();
      if (target >= start) throw malformed('pointer that does not go back');
      if (++jumps > MAX_JUMPS) throw malformed('too many pointers in a name');
      start = target;
      from = new WireReader(this.bytes, target);
    }
  }

  #take(lengthBytes: number): number {
    const start = this.offset;
    if (start + lengthBytes > this.end) throw malformed(`it breaks off at byte ${this.end}`);
    this.offset = start + lengthBytes;
    return start;
  }
}

/** RFC 1035 §2.3.4. */
const MAX_LABEL = 63;
const MAX_NAME = 255;
/** The two highest bits of a length byte (RFC 1035 §4.1.4). */
const POINTER = 0xc0;
/** A name of 255 bytes has no more labels. Without a limit 64 kB of pointers are 32,000 steps for every name. */
const MAX_JUMPS = 127;

/** RFC 4343 §2.1: letters fall together, `\.` for what would be taken for something else, `\007` for what cannot be seen. */
function labelText(label: Buffer): string {
  const text = label.toString('latin1');
  if (PLAIN_LABEL.test(text)) return text.toLowerCase();
  return text.replace(/[^]/g, (character) => {
    if (SPECIAL.test(character)) return `\\${character}`;
    const code = character.charCodeAt(0);
    return code > 0x20 && code < 0x7f ? character.toLowerCase() : escapedByte(code);
  });
}

/** `\007` (RFC 1035 §5.1). */
export function escapedByte(byte: number): string {
  return `\\${String(byte).padStart(3, '0')}`;
}

const PLAIN_LABEL = /^[a-zA-Z0-9_-]*$/;
/** What has a meaning in a master file (RFC 1035 §5.1). */
const SPECIAL = /["().;@$\\]/;
