/** A growable buffer that encoders append to. */
export class ByteColumn {
  bytes: Buffer;
  length = 0;

  constructor(capacity = 1 << 16) {
    this.bytes = Buffer.allocUnsafe(capacity);
  }

  /** Reserves room for `extra` more bytes. */
  reserve(extra: number): void {
    const needed = this.length + extra;
    if (needed <= this.bytes.length) return;
    const grown = Buffer.allocUnsafe(Math.max(needed, this.bytes.length * 2));
    this.bytes.copy(grown, 0, 0, this.length);
    this.bytes = grown;
  }

  /** Returns the bytes written so far. The view is valid until the next write. */
  view(): Buffer {
    return this.bytes.subarray(0, this.length);
  }
}
