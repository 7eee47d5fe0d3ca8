import assert from 'node:assert';
import { familyOf, formatAddress, IPV4_DEPTH, newAddress, type Address } from '../net/address.js';
import { formatPrefix, lastAddressInto, PrefixBuffer, type Prefix } from '../net/prefix.js';
import { RangeSplitter } from '../net/range.js';
import type { FlatTable } from '../table/flat-table.js';
import type { PrefixTable } from '../table/prefix-table.js';
import { isNode, NONE } from '../table/slots.js';
import type { ClaimSink } from './feed.js';
import type { Note, Reason, Tally } from './tally.js';

/** Claims by id: equal claims get the same id, ids count from 0 in the order of first sight. */
export interface Interner<C> {
  readonly claims: readonly C[];
  intern(claim: C): number;
}

/** Where a file's rows go. */
export interface Collection<C> {
  readonly layers: readonly PrefixTable[];
  readonly reserved: FlatTable;
  readonly foldMapped: boolean;
  readonly claims: Interner<C>;
  readonly tally: Tally;
  /** Told of each prefix that is inserted although a part of it is reserved. */
  readonly onPartlyReserved: () => void;
}

/** The sink of one file. Nothing is allocated per row. */
export class LayerSink<C> implements ClaimSink<C> {
  readonly #layers: readonly PrefixTable[];
  readonly #reserved: FlatTable;
  readonly #foldMapped: boolean;
  readonly #claims: Interner<C>;
  readonly #tally: Tally;
  readonly #onPartlyReserved: () => void;
  readonly #start = newAddress();
  readonly #end = newAddress();
  readonly #splitter = new RangeSplitter();
  /** The row at hand, and what its prefixes have met so far. */
  #layer!: PrefixTable;
  #claimId = 0;
  #kept = false;
  #clipped = false;
  #held: Note | undefined;

  constructor(collection: Collection<C>) {
    this.#layers = collection.layers;
    this.#reserved = collection.reserved;
    this.#foldMapped = collection.foldMapped;
    this.#claims = collection.claims;
    this.#tally = collection.tally;
    this.#onPartlyReserved = collection.onPartlyReserved;
  }

  intern(claim: C): number {
    return this.#claims.intern(claim);
  }

  prefix(layer: number, prefix: Prefix, claimId: number, position: number): void {
    this.#begin(layer, claimId);
    const { address, length, family } = prefix;
    const mapped = length >= IPV4_DEPTH && isMapped(address);
    if (mapped) this.#insertMapped(address, length);
    else if (family === 6 && isIpv4Space(address)) this.#insertBehindIpv4(address, length);
    else this.#insert(address, length);
    if (!this.#kept) {
      this.#tally.reject('reserved', position, formatPrefix(address, length, family));
      return;
    }
    this.#accept(mapped);
    if (prefix instanceof PrefixBuffer && prefix.hadHostBits) this.#tally.note('host-bits');
  }

  /** Both ends in ::/96 are taken for IPv4: a feed with IPv6 text there has to reject it itself. */
  // eslint-disable-next-line max-params -- ClaimSink's shape: no object per row
  range(layer: number, start: Address, end: Address, claimId: number, position: number): void {
    this.#begin(layer, claimId);
    this.#start.set(start);
    this.#end.set(end);
    const mapped = isMapped(start) && isMapped(end);
    if (mapped) this.#start[2] = this.#end[2] = 0;
    else if (isIpv4Space(start) && !isIpv4Space(end)) this.#cutIpv4();
    if (mapped && !this.#foldMapped) this.#kept = true;
    else this.#splitter.split(this.#start, this.#end, this.#insert);
    if (this.#kept) this.#accept(mapped);
    else this.#tally.reject('reserved', position, `${print(start)}-${print(end)}`);
  }

  unknown(): void {
    this.#tally.accept();
    this.#tally.note('unknown');
  }

  reject(reason: Reason, position: number, excerpt: string): void {
    this.#tally.reject(reason, position, excerpt);
  }

  note(note: Note): void {
    this.#tally.note(note);
  }

  #begin(layer: number, claimId: number): void {
    const table = this.#layers[layer];
    assert(table !== undefined, `layer ${layer} does not exist`);
    this.#layer = table;
    this.#claimId = claimId;
    this.#kept = false;
    this.#clipped = false;
    this.#held = undefined;
  }

  #accept(mapped: boolean): void {
    this.#tally.accept();
    if (mapped) this.#tally.note('mapped');
    if (this.#clipped) this.#tally.note('clipped');
    if (this.#held !== undefined) this.#tally.note(this.#held);
  }

  /** Inserts one prefix of the row at hand unless all of it is reserved. */
  readonly #insert = (address: Address, length: number): void => {
    const reserved = this.#reserved.slotOfPrefix(address, length);
    if (reserved !== NONE) {
      this.#clipped = true;
      if (!isNode(reserved)) return;
      this.#onPartlyReserved();
    }
    this.#kept = true;
    const held = this.#layer.insert(address, length, this.#claimId);
    if (held === undefined) return;
    if (held !== this.#claimId) this.#held = 'conflict';
    else this.#held ??= 'duplicate';
  };

  #insertMapped(address: Address, length: number): void {
    if (!this.#foldMapped) {
      this.#kept = true;
      return;
    }
    this.#start.fill(0);
    this.#start[3] = address[3]!;
    this.#insert(this.#start, length);
  }

  /** An IPv6 prefix that begins at ::/96 must not cover the IPv4 space that is kept there. */
  #insertBehindIpv4(address: Address, length: number): void {
    if (length >= IPV4_DEPTH) return;
    lastAddressInto(address, length, this.#end);
    this.#cutIpv4();
    this.#splitter.split(this.#start, this.#end, this.#insert);
  }

  #cutIpv4(): void {
    this.#start.fill(0);
    this.#start[2] = 1;
    this.#clipped = true;
  }
}

function isIpv4Space(address: Address): boolean {
  return address[0] === 0 && address[1] === 0 && address[2] === 0;
}

function isMapped(address: Address): boolean {
  return address[0] === 0 && address[1] === 0 && address[2] === 0xffff;
}

function print(address: Address): string {
  return formatAddress(address, familyOf(address));
}
