import { FlatTable } from '../../table/flat-table.js';
import { PrefixTable } from '../../table/prefix-table.js';
import { relabel } from '../../table/relabel.js';
import { isLeaf, leafSlot, recordIdOf } from '../../table/slots.js';
import { ABSENT, zip } from '../../table/zip.js';
import type { ClaimFormat } from './claim-format.js';
import { ClaimTable } from './claim-table.js';
import { CLAIM_FORMAT, type Claim } from './claim.js';
import type { ClaimSink } from './claim-sink.js';
import type { OpenFile } from '../published-source.js';
import { LayerSink } from './layer-sink.js';
import { Tally } from '../tally.js';

/** The normalised claims of a feed or list: disjoint networks whose record ids are indexes into `claims`. */
export interface ClaimedNetworks<C = Claim> {
  readonly table: FlatTable;
  readonly claims: readonly C[];
}

/** The options of LayeredRows. */
export interface CollectingOptions {
  /**
   * Inserts IPv4-mapped rows (::ffff:0:0/96) as IPv4, for a feed without an IPv4 file. By default they are dropped. In
   * both cases they are accepted rows with the note `mapped`.
   */
  readonly foldMapped?: boolean;
}

/**
 * Collects the rows of a feed or list: a prefix table per layer, one table of claims, a tally per file. Rejects rows
 * completely inside `reserved` space, and cuts the reserved part off other rows.
 */
export class LayeredRows<C extends object> {
  readonly #layers: readonly PrefixTable[];
  readonly #reserved: FlatTable;
  readonly #foldMapped: boolean;
  readonly #claims: ClaimTable<C>;
  readonly #tallies = new Map<string, Tally>();
  /** Whether a layer has a network that is partly reserved. */
  #hasReserved = false;
  /** The layers after the last row. */
  #tables: readonly FlatTable[] | undefined;

  constructor(
    format: ClaimFormat<C>,
    { layers, reserved }: { readonly layers: number; readonly reserved: FlatTable },
    options: CollectingOptions = {},
  ) {
    this.#claims = new ClaimTable(format);
    this.#layers = Array.from({ length: layers }, () => new PrefixTable());
    this.#reserved = reserved;
    this.#foldMapped = options.foldMapped ?? false;
  }

  /** The tallies by file id. */
  get tallies(): ReadonlyMap<string, Tally> {
    return this.#tallies;
  }

  /** Creates the sink for the rows of one file. Counts them in `tally`, by default a new one. */
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

  /**
   * Combines the claims of the layers for each network with `combine`, and cuts out the reserved space. Rows that are
   * added afterwards are lost.
   */
  finish(combine: (claims: readonly (C | undefined)[]) => C | undefined): ClaimedNetworks<C> {
    const tables = (this.#tables ??= this.#layers.map((layer) => layer.flatten()));
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
 * The combined claims of the layers, numbered from 0 in the order in which they are first seen. When the combination is
 * the claim of one layer, as it usually is, no claims are compared.
 */
class JoinedClaims<C extends object> {
  readonly claims: C[] = [];
  readonly #interned: ClaimTable<C>;
  readonly #combine: (claims: readonly (C | undefined)[]) => C | undefined;
  /** The claims of the layers for the current network. */
  readonly #layerClaims: (C | undefined)[];
  /** The ids by the ids of all interned claims; ABSENT for claims not seen yet. */
  readonly #ids: number[] = [];

  constructor(
    interned: ClaimTable<C>,
    combine: (claims: readonly (C | undefined)[]) => C | undefined,
    layers: number,
  ) {
    this.#interned = interned;
    this.#combine = combine;
    this.#layerClaims = Array<C | undefined>(layers).fill(undefined);
  }

  /** Returns the id of the combined claim. `ids[i]` is the id of the claim of layer i, or ABSENT. */
  idOf(ids: ArrayLike<number>): number {
    const layerClaims = this.#layerClaims;
    const { claims } = this.#interned;
    for (let i = 0; i < layerClaims.length; i++)
      layerClaims[i] = ids[i] === ABSENT ? undefined : claims[ids[i]!];
    const claim = this.#combine(layerClaims);
    if (claim === undefined) return ABSENT;
    const layer = layerClaims.indexOf(claim);
    const interned = layer < 0 ? this.#interned.intern(claim) : ids[layer]!;
    while (this.#ids.length <= interned) this.#ids.push(ABSENT);
    if (this.#ids[interned] === ABSENT) this.#ids[interned] = this.claims.push(claim) - 1;
    return this.#ids[interned]!;
  }

  /** Returns the table of the only layer with the ids of the combined claims. */
  relabelled(table: FlatTable): FlatTable {
    const { slots, nodeCount } = table;
    const ids = new Int32Array(this.#interned.claims.length).fill(ABSENT);
    const only = [0];
    for (let i = 0; i < slots.length; i++) if (isLeaf(slots[i]!)) ids[recordIdOf(slots[i]!)] = USED;
    let used = 0;
    for (let id = 0; id < ids.length; id++) {
      if (ids[id] !== USED) continue;
      used++;
      only[0] = id;
      ids[id] = this.idOf(only);
    }
    // Networks can only merge when two claims have become equal or a claim was dropped.
    if (this.claims.length < used) return relabel(table, ids);
    const renamed = slots.slice();
    for (let i = 0; i < renamed.length; i++) {
      const slot = renamed[i]!;
      if (isLeaf(slot)) renamed[i] = leafSlot(ids[recordIdOf(slot)]!);
    }
    return new FlatTable(renamed, nodeCount);
  }
}

/** Marks the record ids that a table uses. */
const USED = 0;

/** Collects the rows of one feed. */
export class LayeredClaims extends LayeredRows<Claim> {
  constructor(layers: number, reserved: FlatTable, options: CollectingOptions = {}) {
    super(CLAIM_FORMAT, { layers, reserved }, options);
  }
}
