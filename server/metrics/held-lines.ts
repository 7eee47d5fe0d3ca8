import type { DestinationStream } from 'pino';

/**
 * Lines on their way to a file, handed on many at a time: for every line that it is given, pino's destination measures
 * all that it keeps back.
 */
export class HeldLines implements DestinationStream {
  #held = '';
  #isDropping = false;

  /** `mostLength`: UTF-16 units that are kept back at most. */
  constructor(
    private readonly destination: DestinationStream,
    private readonly mostLength: number,
  ) {}

  write(line: string): void {
    this.#held += line;
    if (this.#held.length >= this.mostLength) this.handOn();
  }

  /** Hands on what is there. */
  handOn(): void {
    const text = this.#held;
    this.#held = '';
    if (text !== '' && !this.#isDropping) this.destination.write(text);
  }

  /** From now on lines are lost: their destination takes none any more. */
  drop(): void {
    this.#isDropping = true;
  }
}
