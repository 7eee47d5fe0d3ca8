import { FlatTable } from '../table/flat-table.js';
import { PrefixTable } from '../table/prefix-table.js';
import { relabel } from '../table/relabel.js';
import { isLeaf, leafSlot, recordIdOf } from '../table/slots.js';
import { ABSENT, zip } from '../table/zip.js';
import { ClaimTable, type Claim } from './claim.js';
import type { ClaimSink, OpenFile } from './feed.js';
import { LayerSink, type Interner } from './layer-sink.js';
import { Tally } from './tally.js';

/** What a feed says, normalised: disjoint networks whose record ids index `claims`. */
export interface ClaimedNetworks<C = Claim> {
  readonly table: FlatTable;
  readonly claims: readonly C[];
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
