import {
  compareAddresses,
  isInIpv4Space,
  newAddress,
  parseAddressInto,
  type Address,
  type Family,
} from '../../net/address.js';
import { parseDecimalAddress } from '../../net/decimal-address.js';
import { PrefixBuffer } from '../../net/prefix.js';
import type { ClaimSink } from '../claims/claim-sink.js';
import { FieldRanges } from './field-ranges.js';
import type { Reason } from '../tally.js';

/** The reason why the network of a row is rejected; undefined when it is valid. */
export type AddressFault = Extract<Reason, 'address' | 'family' | 'inverted'> | undefined;

/** The network of a row, a prefix or a range. Reused for every row. */
export class RowNetwork {
  readonly #start = newAddress();
  readonly #end = newAddress();
  readonly #prefix = new PrefixBuffer();
  #isPrefix = false;
  #family: Family = 4;

  get family(): Family {
    return this.#family;
  }

  /** The last address of a range; undefined content for a prefix. */
  get end(): Address {
    return this.#end;
  }

  /** Reads a range with its ends as addresses in the columns `start` and `end`. */
  readEnds({ text, starts, ends }: FieldRanges, start: number, end: number): AddressFault {
    const startFamily = parseAddressInto(text, this.#start, starts[start], ends[start]);
    const endFamily = parseAddressInto(text, this.#end, starts[end], ends[end]);
    if (startFamily === undefined || endFamily === undefined) return 'address';
    return startFamily === endFamily ? this.#setRange(startFamily) : 'family';
  }

  /** Reads a range with its ends as decimal integers: IPv4 when both are below 2^32. */
  readDecimalEnds({ text, starts, ends }: FieldRanges, start: number, end: number): AddressFault {
    const areBoth =
      parseDecimalAddress(text, this.#start, starts[start], ends[start]) &&
      parseDecimalAddress(text, this.#end, starts[end], ends[end]);
    if (!areBoth) return 'address';
    return this.#setRange(isInIpv4Space(this.#start) && isInIpv4Space(this.#end) ? 4 : 6);
  }

  /** Reads a prefix, an address, or a range of two addresses with a dash between them. */
  readNetwork(row: FieldRanges, column: number): AddressFault {
    const fault = this.readPrefix(row, column);
    if (fault === undefined) return undefined;
    const text = row.textOf(column);
    const dash = text.indexOf('-');
    if (dash < 0) return fault;
    const ends = new FieldRanges(2);
    ends.set([text.slice(0, dash).trim(), text.slice(dash + 1).trim()]);
    return this.readEnds(ends, 0, 1);
  }

  /** Reads a prefix or an address. */
  readPrefix({ text, starts, ends }: FieldRanges, column: number): AddressFault {
    if (!this.#prefix.parse(text, starts[column], ends[column])) return 'address';
    this.#isPrefix = true;
    this.#family = this.#prefix.family;
    return undefined;
  }

  /** Whether it is an IPv6 range inside ::/96, which the sink would read as IPv4. */
  get isReserved(): boolean {
    return !this.#isPrefix && this.#family === 6 && isInIpv4Space(this.#end);
  }

  /** Inserts the network. A reserved one must be rejected. */
  insertInto(sink: Pick<ClaimSink, 'prefix' | 'range'>, claimId: number, line: number): void {
    if (this.#isPrefix) sink.prefix(0, this.#prefix, claimId, line);
    else sink.range(0, this.#start, this.#end, claimId, line);
  }

  #setRange(family: Family): AddressFault {
    this.#isPrefix = false;
    this.#family = family;
    return compareAddresses(this.#start, this.#end) > 0 ? 'inverted' : undefined;
  }
}
