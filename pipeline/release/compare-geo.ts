import type { Address } from '../net/address.js';
import { AddressCount } from '../table/address-count.js';
import type { FlatTable } from '../table/flat-table.js';
import { ABSENT, zip } from '../table/zip.js';

/** The part of a geolocation record that a comparison uses. */
export interface GeoRecord {
  /** ISO 3166-1 alpha-2; absent where the record knows no country. */
  readonly country?: string;
  /** Equal exactly when the whole records are equal. */
  readonly key: string;
}

/** A geolocation dataset: networks, and the records that their ids index. */
export interface GeoTable {
  readonly table: FlatTable;
  readonly records: readonly GeoRecord[];
}

/** Address space. Both figures as in `Coverage`: each is exact and rounded down by itself, so sums may differ by 1. */
export interface Extent {
  readonly ipv4Addresses: number;
  readonly ipv6Slash64s: number;
}

/** Every address of either dataset is in exactly one of these. */
export interface Changes {
  /** The same record. */
  readonly unchanged: Extent;
  readonly added: Extent;
  readonly removed: Extent;
  /** Another country, or a country where none was known, or the other way round. */
  readonly moved: Extent;
  /** Another record of the same country. */
  readonly changed: Extent;
}

/** Address space that changed from one country to another. */
export interface Move extends Extent {
  /** ISO 3166-1 alpha-2, or `none` where no country is known. */
  readonly from: string;
  readonly to: string;
}

/** The space of one country in both datasets. `gained` and `lost` count moves, additions and removals. */
export interface CountryChange {
  /** ISO 3166-1 alpha-2, or `none` where no country is known. */
  readonly country: string;
  readonly before: Extent;
  readonly after: Extent;
  readonly gained: Extent;
  readonly lost: Extent;
  /** Another record of the same country. */
  readonly changed: Extent;
}

/** A comparison of two datasets. */
export interface GeoComparison {
  readonly before: Extent;
  readonly after: Extent;
  readonly changes: Changes;
  /** Every pair of countries between which space moved, the largest first. */
  readonly moves: readonly Move[];
  /** Every country of either dataset, the largest turnover first. */
  readonly countries: readonly CountryChange[];
}

/** Compares two datasets address by address. */
export function compareGeo(before: GeoTable, after: GeoTable): GeoComparison {
  const cells = new CellTable();
  const compared = zip([before.table, after.table], (ids) => {
    const from = ids[0] === ABSENT ? undefined : before.records[ids[0]!]!;
    const to = ids[1] === ABSENT ? undefined : after.records[ids[1]!]!;
    return cells.idOf({ from: countryOf(from), to: countryOf(to), same: from?.key === to?.key });
  });
  compared.forEach((address, length, cellId) => {
    cells.count(cellId, address, length);
  });
  return summarise(cells.cells);
}

/** `none` for a record without a country, absent for no record. */
function countryOf(record: GeoRecord | undefined): string | undefined {
  return record && (record.country ?? NO_COUNTRY);
}

const NO_COUNTRY = 'none';

/** The records of a network in both datasets; absent without a record. */
interface Fate {
  readonly from: string | undefined;
  readonly to: string | undefined;
  /** The record is the same on both sides. */
  readonly same: boolean;
}

interface Cell extends Fate {
  readonly space: AddressCount;
}

/** The cells of the comparison by id. They are few even for many networks. */
class CellTable {
  readonly cells: Cell[] = [];
  readonly #ids = new Map<string, number>();

  idOf(fate: Fate): number {
    const key = `${fate.from ?? ''}>${fate.to ?? ''}${fate.same ? '=' : ''}`;
    const held = this.#ids.get(key);
    if (held !== undefined) return held;
    this.#ids.set(key, this.cells.length);
    return this.cells.push({ ...fate, space: new AddressCount() }) - 1;
  }

  count(id: number, address: Address, length: number): void {
    this.cells[id]!.space.addNetwork(address, length);
  }
}

function summarise(cells: readonly Cell[]): GeoComparison {
  const sum = (belongs: (cell: Cell) => boolean): Extent => extentOf(cells.filter(belongs));
  const moved = cells.filter(isMove);
  return {
    before: sum(({ from }) => from !== undefined),
    after: sum(({ to }) => to !== undefined),
    changes: {
      unchanged: sum(({ same }) => same),
      added: sum(({ from }) => from === undefined),
      removed: sum(({ to }) => to === undefined),
      moved: extentOf(moved),
      changed: sum((cell) => !cell.same && cell.from === cell.to),
    },
    moves: moved.map((cell) => ({ from: cell.from, to: cell.to, ...extentOf([cell]) })).sort(byMove),
    countries: countriesOf(cells).sort(byTurnover),
  };
}

function isMove(cell: Cell): cell is Cell & { from: string; to: string } {
  return cell.from !== undefined && cell.to !== undefined && cell.from !== cell.to;
}

/** Sums the cells in one pass, because 250 countries may have 62,000 pairs. */
function countriesOf(cells: readonly Cell[]): CountryChange[] {
  const sums = new Map<string, CountrySums>();
  const sumsOf = (country: string): CountrySums => {
    const held = sums.get(country) ?? newSums();
    sums.set(country, held);
    return held;
  };
  for (const { from, to, same, space } of cells) {
    if (from !== undefined) sumsOf(from).before.addCount(space);
    if (to !== undefined) sumsOf(to).after.addCount(space);
    if (from === to) {
      if (from !== undefined && !same) sumsOf(from).changed.addCount(space);
      continue;
    }
    if (from !== undefined) sumsOf(from).lost.addCount(space);
    if (to !== undefined) sumsOf(to).gained.addCount(space);
  }
  return [...sums].map(([country, { before, after, gained, lost, changed }]) => ({
    country,
    before: toExtent(before),
    after: toExtent(after),
    gained: toExtent(gained),
    lost: toExtent(lost),
    changed: toExtent(changed),
  }));
}

type CountrySums = Record<'before' | 'after' | 'gained' | 'lost' | 'changed', AddressCount>;

function newSums(): CountrySums {
  return {
    before: new AddressCount(),
    after: new AddressCount(),
    gained: new AddressCount(),
    lost: new AddressCount(),
    changed: new AddressCount(),
  };
}

function extentOf(cells: readonly Cell[]): Extent {
  const space = new AddressCount();
  for (const cell of cells) space.addCount(cell.space);
  return toExtent(space);
}

function toExtent({ ipv4Addresses, ipv6Slash64s }: AddressCount): Extent {
  return { ipv4Addresses, ipv6Slash64s };
}

function byMove(a: Move, b: Move): number {
  return bySize(a, b) || order(`${a.from}>${a.to}`, `${b.from}>${b.to}`);
}

function byTurnover(a: CountryChange, b: CountryChange): number {
  return bySize(turnover(a), turnover(b)) || bySize(a.after, b.after) || order(a.country, b.country);
}

function turnover({ gained, lost }: CountryChange): Extent {
  return {
    ipv4Addresses: gained.ipv4Addresses + lost.ipv4Addresses,
    ipv6Slash64s: gained.ipv6Slash64s + lost.ipv6Slash64s,
  };
}

/** The larger first: by IPv4, then by IPv6. */
function bySize(a: Extent, b: Extent): number {
  return b.ipv4Addresses - a.ipv4Addresses || b.ipv6Slash64s - a.ipv6Slash64s;
}

function order(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
