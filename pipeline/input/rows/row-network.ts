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

  /** Reads a range with both ends as text. */
  readEnds(startText: string, endText: string): AddressFault {
    const startFamily = parseAddressInto(startText, this.#start);
    const endFamily = parseAddressInto(endText, this.#end);
    if (startFamily === undefined || endFamily === undefined) return 'address';
    return startFamily === endFamily ? this.#setRange(startFamily) : 'family';
  }

  /** Reads a range with both ends as decimal integers: IPv4 when both are below 2^32. */
  readDecimalEnds(startText: string, endText: string): AddressFault {
    const areBoth = parseDecimalAddress(startText, this.#start) && parseDecimalAddress(endText, this.#end);
    if (!areBoth) return 'address';
    return this.#setRange(isInIpv4Space(this.#start) && isInIpv4Space(this.#end) ? 4 : 6);
  }

  /** Reads a prefix, an address, or a range of two addresses with a dash between them. */
  readNetwork(text: string): AddressFault {
    const dash = text.indexOf('-');
    if (dash >= 0) return this.readEnds(text.slice(0, dash).trim(), text.slice(dash + 1).trim());
    if (!this.#prefix.parse(text)) return 'address';
    this.#isPrefix = true;
    this.#family = this.#prefix.family;
    return undefined;
  }

  /** Inserts the network. Returns `reserved` for an IPv6 range inside ::/96, which the sink would read as IPv4. */
  insertInto(
    sink: Pick<ClaimSink, 'prefix' | 'range'>,
    claimId: number,
    line: number,
  ): Extract<Reason, 'reserved'> | undefined {
    if (this.#isPrefix) sink.prefix(0, this.#prefix, claimId, line);
    else if (this.#family === 6 && isInIpv4Space(this.#end)) return 'reserved';
    else sink.range(0, this.#start, this.#end, claimId, line);
    return undefined;
  }

  #setRange(family: Family): AddressFault {
    this.#isPrefix = false;
    this.#family = family;
    return compareAddresses(this.#start, this.#end) > 0 ? 'inverted' : undefined;
  }
}
