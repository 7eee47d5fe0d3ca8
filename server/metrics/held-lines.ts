import type { DestinationStream } from 'pino';

/**
 * Buffers log lines and passes them on in batches, because pino's destination measures its whole buffer for every line.
 */
export class HeldLines implements DestinationStream {
  #held = '';
  #isDropping = false;

  /** `mostLength` is the buffer size in UTF-16 units. */
  constructor(
    private readonly destination: DestinationStream,
    private readonly mostLength: number,
  ) {}

  write(line: string): void {
    this.#held += line;
    if (this.#held.length >= this.mostLength) this.flush();
  }

  /** Passes the buffer on. */
  flush(): void {
    const text = this.#held;
    this.#held = '';
    if (text !== '' && !this.#isDropping) this.destination.write(text);
  }

  /** Discards all further lines, when the destination accepts none. */
  drop(): void {
    this.#isDropping = true;
  }
}
