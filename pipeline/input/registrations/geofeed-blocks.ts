import {
  ADDRESS_BITS,
  commonBits,
  compareAddresses,
  IPV4_DEPTH,
  isInIpv4Space,
  newAddress,
  parseAddressInto,
  type Address,
} from '../../net/address.js';
import { lastAddressInto, PrefixBuffer } from '../../net/prefix.js';
import { splitRange } from '../../net/range.js';
import { FlatTable } from '../../table/flat-table.js';
import { PrefixTable } from '../../table/prefix-table.js';
import { Uint32Column } from '../../table/slots.js';
import { leastBits } from '../claims/too-wide.js';
import type { Reason } from '../tally.js';
import { parseGeofeedUrl } from './geofeed-url.js';

/** A block of addresses whose registration names a geofeed. */
export interface GeofeedReference {
  /** A prefix, or two addresses with a dash between them. */
  readonly network: string;
  readonly url: string;
  /** When the registration was last changed, in seconds since 1970; absent when unknown. */
  readonly modified?: number | undefined;
}

/** The geofeed that applies to each network. Record ids of `table` are indexes into `urls`. */
export interface GeofeedBlocks {
  readonly table: FlatTable;
  readonly urls: readonly URL[];
}

/**
 * Collects the references of registrations. For an address the most specific registration with a reference applies; of
 * registrations of the same block, the one that was changed last (RFC 9632 §3).
 */
export class GeofeedReferences {
  readonly #prefix = new PrefixBuffer();
  readonly #start = newAddress();
  readonly #end = newAddress();
  readonly #urls: URL[] = [];
  /** The position in `#urls` by the URL as written and as parsed. */
  readonly #known = new Map<string, number>();
  /** Ten values per reference: start, end, URL, time of the last change. */
  readonly #rows = new Uint32Column(10_240);

  get count(): number {
    return this.#rows.length / COLUMNS;
  }

  /** Adds a reference, or returns why it is refused. A block wider than any operator's is refused. */
  add({ network, url, modified = 0 }: GeofeedReference): Reason | undefined {
    const fault = this.#readNetwork(network);
    if (fault !== undefined) return fault;
    const number = this.#numberOf(url);
    if (number === INVALID) return 'reference';
    if (isTooWide(this.#start, this.#end)) return 'prefix-length';
    const rows = this.#rows;
    rows.reserve(COLUMNS);
    rows.values.set(this.#start, rows.length);
    rows.values.set(this.#end, rows.length + END);
    rows.values[rows.length + URL_NUMBER] = number;
    rows.values[rows.length + MODIFIED] = modified;
    rows.length += COLUMNS;
    return undefined;
  }

  /** Returns the geofeed of each network. */
  blocks(): GeofeedBlocks {
    const table = new PrefixTable();
    // A table keeps the first record of a prefix: inner blocks are inserted before outer ones.
    for (const row of this.#sorted().reverse()) {
      table.insertRange(
        this.#addressAt(row),
        this.#addressAt(row + END),
        this.#rows.values[row + URL_NUMBER]!,
      );
    }
    return { table: this.count === 0 ? FlatTable.empty() : table.flatten(), urls: this.#urls };
  }

  /** Returns the offsets of all rows by start, then the longest first, then the earliest changed, then the last added. */
  #sorted(): Uint32Array {
    const { values, length } = this.#rows;
    const offsets = Uint32Array.from({ length: length / COLUMNS }, (_, n) => n * COLUMNS);
    const difference = (a: number, b: number, column: number): number => {
      return values[a + column]! - values[b + column]!;
    };
    return offsets.sort((a, b) => {
      for (let word = 0; word < END; word++) {
        const order = difference(a, b, word);
        if (order !== 0) return order;
      }
      for (let word = END; word < URL_NUMBER; word++) {
        const order = difference(b, a, word);
        if (order !== 0) return order;
      }
      return difference(a, b, MODIFIED) || b - a;
    });
  }

  #readNetwork(text: string): Reason | undefined {
    const dash = text.indexOf('-');
    if (dash < 0) {
      if (!this.#prefix.parse(text)) return 'address';
      this.#start.set(this.#prefix.address);
      lastAddressInto(this.#prefix.address, this.#prefix.length, this.#end);
      return this.#prefix.family === 6 && isInIpv4Space(this.#start) ? 'reserved' : undefined;
    }
    const startFamily = parseAddressInto(text.slice(0, dash).trim(), this.#start);
    const endFamily = parseAddressInto(text.slice(dash + 1).trim(), this.#end);
    if (startFamily === undefined || endFamily === undefined) return 'address';
    if (startFamily !== endFamily) return 'family';
    if (startFamily === 6 && isInIpv4Space(this.#start)) return 'reserved';
    return compareAddresses(this.#start, this.#end) > 0 ? 'inverted' : undefined;
  }

  #addressAt(offset: number): Address {
    return this.#rows.values.slice(offset, offset + END);
  }

  #numberOf(text: string): number {
    const held = this.#known.get(text);
    if (held !== undefined) return held;
    const url = parseGeofeedUrl(text);
    if (url === undefined) return INVALID;
    const number = this.#known.get(url.href) ?? this.#urls.push(url) - 1;
    this.#known.set(url.href, number);
    // A copy: the text may be a part of a large one, which it would keep in memory.
    this.#known.set(Buffer.from(text).toString(), number);
    return number;
  }
}

/**
 * Returns the amount of space in which each URL applies: IPv4 addresses, and IPv6 networks of 48 bits. By position in
 * `urls`.
 */
export function spaceByUrl({ table, urls }: GeofeedBlocks): number[] {
  const space = Array<number>(urls.length).fill(0);
  table.forEach((address, length, number) => {
    const isIpv4 = length >= IPV4_DEPTH && isInIpv4Space(address);
    space[number] = space[number]! + 2 ** ((isIpv4 ? ADDRESS_BITS : IPV6_UNIT_BITS) - length);
  });
  return space;
}

const INVALID = -1;
const END = 4;
const URL_NUMBER = 8;
const MODIFIED = 9;
const COLUMNS = 10;
const IPV6_UNIT_BITS = 48;

/** A small range may cross the border of two wide prefixes. */
function isTooWide(start: Address, end: Address): boolean {
  const bits = commonBits(start, end);
  if (bits >= leastBits(start, bits)) return false;
  let isWide = false;
  splitRange(start, end, (address, length) => {
    isWide ||= length < leastBits(address, length);
  });
  return isWide;
}
