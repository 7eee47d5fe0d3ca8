import { formatIpv4 } from '../../net/address.js';
import type { OpenFile } from '../../input/published-source.js';
import { FeedError } from '../../input/feed-error.js';

/**
 * Checks that a file covers all of IPv4 in order, and so has not been truncated or lost rows. A gap is allowed only
 * after a rejected row.
 */
export class Ipv4Coverage {
  readonly #file: Pick<OpenFile, 'id'>;
  /** The first address not covered yet; 2^32 when all are covered. */
  #next = 0;
  #allowsGap = false;

  constructor(file: Pick<OpenFile, 'id'>) {
    this.#file = file;
  }

  /** Adds the next range, both ends inclusive. Throws FeedError `truncated` when there is a gap before it. */
  add(start: number, end: number, line: number): void {
    if (start > this.#next && !this.#allowsGap) {
      throw this.#truncated(
        `no row for ${formatIpv4(this.#next)}-${formatIpv4(start - 1)} before line ${line}`,
      );
    }
    this.#allowsGap = false;
    if (end >= this.#next) this.#next = end + 1;
  }

  /** Allows a gap before the next range, because a row was rejected. */
  allowGap(): void {
    this.#allowsGap = true;
  }

  /** Throws FeedError `truncated` when the last range does not end at 255.255.255.255. */
  end(): void {
    if (this.#next < 2 ** 32)
      throw this.#truncated(`no row for ${formatIpv4(this.#next)}-255.255.255.255 at the end`);
  }

  #truncated(found: string): FeedError {
    return new FeedError('truncated', this.#file.id, found);
  }
}
