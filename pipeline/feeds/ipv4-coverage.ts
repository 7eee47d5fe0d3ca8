import { formatIpv4 } from '../net/address.js';
import type { OpenFile } from './feed.js';
import { FeedError } from './feed-error.js';

/**
 * Notices that a file which names all of IPv4 in order does not: it was cut, or has lost a part. Only behind a row
 * that was refused may something be missing.
 */
export class Ipv4Coverage {
  readonly #file: Pick<OpenFile, 'id'>;
  /** First address that is not named yet; 2^32 behind the last one. */
  #next = 0;
  #mayMiss = false;

  constructor(file: Pick<OpenFile, 'id'>) {
    this.#file = file;
  }

  /** The next range, both ends inclusive. Throws FeedError `truncated` when there is a gap before it. */
  add(start: number, end: number, line: number): void {
    if (start > this.#next && !this.#mayMiss) {
      throw this.#truncated(
        `nothing from ${formatIpv4(this.#next)} to ${formatIpv4(start - 1)}, before line ${line}`,
      );
    }
    this.#mayMiss = false;
    if (end >= this.#next) this.#next = end + 1;
  }

  /** A row was refused. */
  mayMiss(): void {
    this.#mayMiss = true;
  }

  /** Throws FeedError `truncated` when the last range did not end at 255.255.255.255. */
  end(): void {
    if (this.#next < 2 ** 32) throw this.#truncated(`it ends before ${formatIpv4(this.#next)}`);
  }

  #truncated(found: string): FeedError {
    return new FeedError('truncated', this.#file.id, found);
  }
}
