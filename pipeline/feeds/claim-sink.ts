import assert from 'node:assert';
import { familyOf, formatAddress, IPV4_DEPTH, newAddress, type Address } from '../net/address.js';
import { formatPrefix, lastAddressInto, PrefixBuffer, type Prefix } from '../net/prefix.js';
import { RangeSplitter } from '../net/range.js';
import { FlatTable } from '../table/flat-table.js';
import { PrefixTable } from '../table/prefix-table.js';
import { relabel } from '../table/relabel.js';
import { isLeaf, isNode, leafSlot, NONE, recordIdOf } from '../table/slots.js';
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
  readonly #claims: Interner<C>;
  readonly #tallies = new Map<string, Tally>();
  /** Whether a layer holds networks of which a part is reserved. */
  #hasReserved = false;

  /** `claims` interns what rows say and what layers say together. */
  constructor(
    claims: Interner<C>,
    { layers, reserved }: { readonly layers: number; readonly reserved: FlatTable },
    options: CollectingOptions = {},
  ) {
    this.#claims = claims;
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
      onPartlyReserved: () => (this.#hasReserved = true),
    });
  }

  /** Joins what the layers say about a network with `combine` and cuts the reserved space out. */
  finish(combine: (claims: readonly (C | undefined)[]) => C | undefined): ClaimedNetworks<C> {
    const tables = this.#layers.map((layer) => layer.flatten());
    const joined = new JoinedClaims(this.#claims, combine, tables.length);
    const [only] = tables;
    const table =
      only !== undefined && tables.length === 1 && !this.#hasReserved
        ? joined.relabelled(only)
        : zip([...tables, this.#reserved], (ids) =>
            ids[tables.length] === ABSENT ? joined.idOf(ids) : ABSENT,
          );
    return { table, claims: joined.claims };
  }
}

/**
 * What layers say together, numbered from 0 in the order of first sight. Where that is what one of them says, as it
 * mostly is, no claim is compared.
 */
class JoinedClaims<C> {
  readonly claims: C[] = [];
  readonly #interned: Interner<C>;
  readonly #combine: (claims: readonly (C | undefined)[]) => C | undefined;
  readonly #said: (C | undefined)[];
  /** Ids by those among all interned claims, ABSENT for claims not seen yet. */
  readonly #ids: number[] = [];

  constructor(
    interned: Interner<C>,
    combine: (claims: readonly (C | undefined)[]) => C | undefined,
    layers: number,
  ) {
    this.#interned = interned;
    this.#combine = combine;
    this.#said = Array<C | undefined>(layers).fill(undefined);
  }

  /** The id of what the layers say, `ids[i]` being that of what layer i says, or ABSENT. */
  idOf(ids: ArrayLike<number>): number {
    const said = this.#said;
    const { claims } = this.#interned;
    for (let i = 0; i < said.length; i++) said[i] = ids[i] === ABSENT ? undefined : claims[ids[i]!];
    const claim = this.#combine(said);
    if (claim === undefined) return ABSENT;
    const layer = said.indexOf(claim);
    const interned = layer < 0 ? this.#interned.intern(claim) : ids[layer]!;
    while (this.#ids.length <= interned) this.#ids.push(ABSENT);
    if (this.#ids[interned] === ABSENT) this.#ids[interned] = this.claims.push(claim) - 1;
    return this.#ids[interned]!;
  }

  /** The table of an only layer with the ids of what it says. */
  relabelled(table: FlatTable): FlatTable {
    const { slots, nodeCount } = table;
    const ids = new Int32Array(this.#interned.claims.length).fill(ABSENT);
    for (let i = 0; i < slots.length; i++) if (isLeaf(slots[i]!)) ids[recordIdOf(slots[i]!)] = USED;
    let used = 0;
    for (let id = 0; id < ids.length; id++) {
      if (ids[id] !== USED) continue;
      used++;
      ids[id] = this.idOf([id]);
    }
    // Unless something is left out or comes to the same, no two networks become one.
    if (this.claims.length < used) return relabel(table, ids);
    const renamed = slots.slice();
    for (let i = 0; i < renamed.length; i++) {
      const slot = renamed[i]!;
      if (isLeaf(slot)) renamed[i] = leafSlot(ids[recordIdOf(slot)]!);
    }
    return new FlatTable(renamed, nodeCount);
  }
}

/** A record id that a table holds. */
const USED = 0;

/** The rows of one feed. */
export class LayeredClaims extends LayeredRows<Claim> {
  constructor(layers: number, reserved: FlatTable, options: CollectingOptions = {}) {
    super(new ClaimTable(), { layers, reserved }, options);
  }
}

interface Collection<C> {
  readonly layers: readonly PrefixTable[];
  readonly reserved: FlatTable;
  readonly foldMapped: boolean;
  readonly claims: Interner<C>;
  readonly tally: Tally;
  /** Told of each prefix that is inserted although a part of it is reserved. */
  readonly onPartlyReserved: () => void;
}

/** The sink of one file. Nothing is allocated per row. */
class LayerSink<C> implements ClaimSink<C> {
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
