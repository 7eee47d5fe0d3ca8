import assert from 'node:assert';
import { familyOf, formatAddress, IPV4_DEPTH, newAddress, type Address } from '../net/address.js';
import { formatPrefix, lastAddressInto, PrefixBuffer, type Prefix } from '../net/prefix.js';
import { splitRange } from '../net/range.js';
import type { FlatTable } from '../table/flat-table.js';
import { PrefixTable } from '../table/prefix-table.js';
import { isNode, NONE } from '../table/slots.js';
import { ABSENT, zip } from '../table/zip.js';
import { ClaimTable, type Claim } from './claim.js';
import type { ClaimSink, OpenFile } from './feed.js';
import { Tally, type Note, type Reason } from './tally.js';

/** What a feed says, normalised: disjoint networks whose record ids index `claims`. */
export interface ClaimedNetworks<C = Claim> {
  readonly table: FlatTable;
  readonly claims: readonly C[];
}

/** Claims by id: equal claims get the same id, ids count from 0 in the order of first sight. */
export interface Interner<C> {
  readonly claims: readonly C[];
  intern(claim: C): number;
}

/** How a feed's rows are collected. */
export interface CollectingOptions {
  /**
   * IPv4-mapped rows (::ffff:0:0/96) are folded to IPv4, for a feed without an IPv4 file. By default they are
   * dropped. Either way they are accepted rows with the note `mapped`.
   */
  readonly foldMapped?: boolean;
}

/**
 * Collects rows: a prefix table per layer, one table of claims, a tally per file. Rows wholly in `reserved` space are
 * rejected, of others the reserved part is cut off.
 */
export class LayeredRows<C> {
  readonly #layers: readonly PrefixTable[];
  readonly #reserved: FlatTable;
  readonly #foldMapped: boolean;
  readonly #newInterner: () => Interner<C>;
  readonly #claims: Interner<C>;
  readonly #tallies = new Map<string, Tally>();

  constructor(
    newInterner: () => Interner<C>,
    { layers, reserved }: { readonly layers: number; readonly reserved: FlatTable },
    options: CollectingOptions = {},
  ) {
    this.#newInterner = newInterner;
    this.#claims = newInterner();
    this.#layers = Array.from({ length: layers }, () => new PrefixTable());
    this.#reserved = reserved;
    this.#foldMapped = options.foldMapped ?? false;
  }

  /** What became of the rows, by file id. */
  get tallies(): ReadonlyMap<string, Tally> {
    return this.#tallies;
  }

  /** The sink for the rows of one file, which are counted in `tally`: by default one of its own. */
  sinkFor(file: Pick<OpenFile, 'id'>, tally = new Tally()): ClaimSink<C> {
    this.#tallies.set(file.id, tally);
    return new LayerSink({
      layers: this.#layers,
      reserved: this.#reserved,
      foldMapped: this.#foldMapped,
      claims: this.#claims,
      tally,
    });
  }

  /** Joins what the layers say about a network with `combine` and cuts the reserved space out. */
  finish(combine: (claims: readonly (C | undefined)[]) => C | undefined): ClaimedNetworks<C> {
    const tables = this.#layers.map((layer) => layer.flatten());
    const claims = this.#claims.claims;
    const combined = this.#newInterner();
    const said: (C | undefined)[] = [];
    const table = zip([...tables, this.#reserved], (ids) => {
      if (ids[tables.length] !== ABSENT) return ABSENT;
      for (let i = 0; i < tables.length; i++) said[i] = ids[i] === ABSENT ? undefined : claims[ids[i]!];
      const claim = combine(said);
      return claim === undefined ? ABSENT : combined.intern(claim);
    });
    return { table, claims: combined.claims };
  }
}

/** The rows of one feed. */
export class LayeredClaims extends LayeredRows<Claim> {
  constructor(layers: number, reserved: FlatTable, options: CollectingOptions = {}) {
    super(() => new ClaimTable(), { layers, reserved }, options);
  }
}

interface Collection<C> {
  readonly layers: readonly PrefixTable[];
  readonly reserved: FlatTable;
  readonly foldMapped: boolean;
  readonly claims: Interner<C>;
  readonly tally: Tally;
}

/** The sink of one file. Nothing is allocated per prefix row; a range row costs what `splitRange` costs. */
class LayerSink<C> implements ClaimSink<C> {
  readonly #layers: readonly PrefixTable[];
  readonly #reserved: FlatTable;
  readonly #foldMapped: boolean;
  readonly #claims: Interner<C>;
  readonly #tally: Tally;
  readonly #start = newAddress();
  readonly #end = newAddress();
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
    else splitRange(this.#start, this.#end, this.#insert);
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
    splitRange(this.#start, this.#end, this.#insert);
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
