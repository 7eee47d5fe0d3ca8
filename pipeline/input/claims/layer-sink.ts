import assert from 'node:assert';
import {
  familyOf,
  formatAddress,
  IPV4_DEPTH,
  isInIpv4Space,
  isIpv4Mapped,
  newAddress,
  type Address,
} from '../../net/address.js';
import { formatPrefix, lastAddressInto, PrefixBuffer, type Prefix } from '../../net/prefix.js';
import { RangeSplitter } from '../../net/range.js';
import type { FlatTable } from '../../table/flat-table.js';
import type { PrefixTable } from '../../table/prefix-table.js';
import { NOT_DELEGATED } from '../../table/reserved-space.js';
import { isLeaf, isNode, NONE, recordIdOf } from '../../table/slots.js';
import type { ClaimTable } from './claim-table.js';
import type { ClaimSink } from './claim-sink.js';
import type { Note, Reason, Tally } from '../tally.js';

/** The tables that the sink of a file writes to. */
export interface Collection<C extends object> {
  readonly layers: readonly PrefixTable[];
  readonly reserved: FlatTable;
  readonly foldMapped: boolean;
  readonly claims: ClaimTable<C>;
  readonly tally: Tally;
  /** Called for each inserted prefix that is partly reserved. */
  readonly onPartlyReserved: () => void;
}

/** The sink of one file. Nothing is allocated per row. */
export class LayerSink<C extends object> implements ClaimSink<C> {
  readonly #layers: readonly PrefixTable[];
  readonly #reserved: FlatTable;
  readonly #foldMapped: boolean;
  readonly #claims: ClaimTable<C>;
  readonly #tally: Tally;
  readonly #onPartlyReserved: () => void;
  readonly #start = newAddress();
  readonly #end = newAddress();
  readonly #splitter = new RangeSplitter();
  // The state of the current row.
  #layer!: PrefixTable;
  #claimId = 0;
  #kept = false;
  #clipped = false;
  #notDelegated = false;
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

  prefix(layer: number, prefix: Prefix, claimId: number, position: number): boolean {
    this.#begin(layer, claimId);
    const { address, length, family } = prefix;
    const mapped = length >= IPV4_DEPTH && isIpv4Mapped(address);
    if (mapped) this.#insertMapped(address, length);
    else if (family === 6 && isInIpv4Space(address)) this.#insertBehindIpv4(address, length);
    else this.#insert(address, length);
    if (!this.#kept && !this.#notDelegated) {
      this.#tally.reject('reserved', position, formatPrefix(address, length, family));
      return false;
    }
    this.#accept(mapped);
    if (prefix instanceof PrefixBuffer && prefix.hadHostBits) this.#tally.note('host-bits');
    return true;
  }

  /** Inserts a range. A range inside ::/96 is IPv4: a reader of IPv6 text must reject such rows itself. */
  // eslint-disable-next-line max-params -- ClaimSink's shape: no object per row
  range(layer: number, start: Address, end: Address, claimId: number, position: number): void {
    this.#begin(layer, claimId);
    this.#start.set(start);
    this.#end.set(end);
    const mapped = isIpv4Mapped(start) && isIpv4Mapped(end);
    if (mapped) this.#start[2] = this.#end[2] = 0;
    else if (isInIpv4Space(start) && !isInIpv4Space(end)) this.#cutIpv4();
    if (mapped && !this.#foldMapped) this.#kept = true;
    else this.#splitter.split(this.#start, this.#end, this.#insert);
    if (this.#kept || this.#notDelegated) this.#accept(mapped);
    else this.#tally.reject('reserved', position, `${print(start)}-${print(end)}`);
  }

  accept(): void {
    this.#tally.accept();
  }

  part(layer: number, { address, length }: Prefix, claimId: number): void {
    this.#begin(layer, claimId);
    this.#insert(address, length);
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
    assert(table !== undefined, `no layer ${layer}`);
    this.#layer = table;
    this.#claimId = claimId;
    this.#kept = false;
    this.#clipped = false;
    this.#notDelegated = false;
    this.#held = undefined;
  }

  #accept(mapped: boolean): void {
    this.#tally.accept();
    if (mapped) this.#tally.note('mapped');
    if (this.#clipped) this.#tally.note('clipped');
    if (this.#notDelegated) this.#tally.note('not-delegated');
    if (this.#held !== undefined) this.#tally.note(this.#held);
  }

  /** Inserts one prefix of the current row unless it is completely reserved or not delegated. */
  readonly #insert = (address: Address, length: number): void => {
    const reserved = this.#reserved.slotOfPrefix(address, length);
    if (isLeaf(reserved) && recordIdOf(reserved) === NOT_DELEGATED) {
      this.#notDelegated = true;
      return;
    }
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

  /** Inserts an IPv6 prefix that begins at ::, without the IPv4 space in ::/96. */
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

function print(address: Address): string {
  return formatAddress(address, familyOf(address));
}
