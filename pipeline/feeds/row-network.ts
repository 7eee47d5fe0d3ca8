import { compareAddresses, newAddress, parseAddressInto, type Address, type Family } from '../net/address.js';
import { parseDecimalAddress } from '../net/decimal-address.js';
import { PrefixBuffer } from '../net/prefix.js';
import type { ClaimSink } from './feed.js';
import type { Reason } from './tally.js';

/** Why the addresses of a row cannot be used; absent when they can. */
export type AddressFault = Extract<Reason, 'address' | 'family' | 'inverted'> | undefined;

/** The network a row is about, a prefix or a range of addresses; filled again for every row. */
export class RowNetwork {
  readonly #start = newAddress();
  readonly #end = newAddress();
  readonly #prefix = new PrefixBuffer();
  #isPrefix = false;
  #family: Family = 4;

  get family(): Family {
    return this.#family;
  }

  /** Last address of a range; of no use for a prefix. */
  get end(): Address {
    return this.#end;
  }

  /** Reads both ends of a range, which are text. */
  readEnds(startText: string, endText: string): AddressFault {
    const startFamily = parseAddressInto(startText, this.#start);
    const endFamily = parseAddressInto(endText, this.#end);
    if (startFamily === undefined || endFamily === undefined) return 'address';
    return startFamily === endFamily ? this.#setRange(startFamily) : 'family';
  }

  /** Reads both ends of a range, which are decimal integers: IPv4 when both are below 2^32. */
  readDecimalEnds(startText: string, endText: string): AddressFault {
    const areBoth = parseDecimalAddress(startText, this.#start) && parseDecimalAddress(endText, this.#end);
    if (!areBoth) return 'address';
    return this.#setRange(isIpv4Space(this.#start) && isIpv4Space(this.#end) ? 4 : 6);
  }

  /** Reads a prefix, a bare address, or both ends of a range with a dash between them. */
  readNetwork(text: string): AddressFault {
    const dash = text.indexOf('-');
    if (dash >= 0) return this.readEnds(text.slice(0, dash).trim(), text.slice(dash + 1).trim());
    if (!this.#prefix.parse(text)) return 'address';
    this.#isPrefix = true;
    this.#family = this.#prefix.family;
    return undefined;
  }

  /** Hands the row to the sink; `reserved` for IPv6 text within ::/96, where the sink would see IPv4. */
  insertInto(
    sink: Pick<ClaimSink, 'prefix' | 'range'>,
    claimId: number,
    line: number,
  ): Extract<Reason, 'reserved'> | undefined {
    if (this.#isPrefix) sink.prefix(0, this.#prefix, claimId, line);
    else if (this.#family === 6 && isIpv4Space(this.#end)) return 'reserved';
    else sink.range(0, this.#start, this.#end, claimId, line);
    return undefined;
  }

  #setRange(family: Family): AddressFault {
    this.#isPrefix = false;
    this.#family = family;
    return compareAddresses(this.#start, this.#end) > 0 ? 'inverted' : undefined;
  }
}

function isIpv4Space(address: Address): boolean {
  return address[0] === 0 && address[1] === 0 && address[2] === 0;
}
