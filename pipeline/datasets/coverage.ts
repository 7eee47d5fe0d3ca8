import { COVERAGE_LEVELS, type Coverage, type CoverageLevel } from '../release/contract.js';
import { newAddress, type Family } from '../net/address.js';
import { AddressCount } from '../table/address-count.js';
import type { FlatTable } from '../table/flat-table.js';
import { countNetworks } from '../table/network-counts.js';

/** The deciding feed, the country and the finest known level of a record; absent if unknown. */
export interface Origin {
  readonly country?: string | undefined;
  readonly decidedBy?: string | undefined;
  /** Given for all records of a table or for none. */
  readonly level?: CoverageLevel;
}

/** Address space in a table: in total, by deciding feed, by country, and by level if levels are given. */
export interface CoverageFigures {
  readonly coverage: Coverage;
  readonly coverageByFeed: Record<string, Coverage>;
  readonly coverageByCountry: Record<string, Coverage>;
  readonly coverageByLevel?: Partial<Record<CoverageLevel, Coverage>>;
}

/** The origins of the records, by id: an array, or an object that finds an origin on demand. */
export interface OriginList {
  readonly length: number;
  at(id: number): Origin | undefined;
}

/**
 * Counts every network once. `origins.at(id)` belongs to record `id`; unknown feeds and countries count as `none`.
 * Without `origins` only the total is counted.
 */
export function measureCoverage(table: FlatTable, origins?: OriginList): CoverageFigures {
  const all = new Extent();
  const { feeds, countries, levels, groups, groupOf } = groupsOf(origins);
  const counts = countNetworks(table, Math.max(1, groups.length), groupOf);
  const extentsOf = (group: number): readonly Extent[] => [all, ...(groups[group] ?? [])];
  counts.forEach((group, { length, family }, count) => {
    for (const extent of extentsOf(group)) extent.addNetworks(count, length, family);
  });
  if (counts.spanning) {
    const { group, length } = counts.spanning;
    for (const extent of extentsOf(group)) extent.add(newAddress(), length);
  }
  return {
    coverage: all.figures(),
    coverageByFeed: feeds.figures(),
    coverageByCountry: countries.figures(),
    ...(origins?.at(0)?.level && { coverageByLevel: levels.figures() }),
  };
}

/** The distinct combinations of a feed, a country and a level, and that of each record. */
function groupsOf(origins: OriginList | undefined) {
  const [feeds, countries, levels] = [new Extents(), new Extents(), new Extents()];
  const numbers = new Map<number, number>();
  const groups: (readonly Extent[])[] = [];
  const groupOf = origins && new Uint32Array(origins.length);
  for (let id = 0; id < (origins?.length ?? 0); id++) {
    const origin = origins!.at(id)!;
    const feed = feeds.numberOf(origin.decidedBy ?? 'none');
    const country = countries.numberOf(origin.country ?? 'none');
    const level = levels.numberOf(origin.level ?? 'none');
    const key = (feed * MAX_KEYS + country) * COVERAGE_LEVELS.length + level;
    let group = numbers.get(key);
    if (group === undefined) {
      numbers.set(key, (group = groups.length));
      groups.push([feeds.at(feed), countries.at(country), levels.at(level)]);
    }
    groupOf![id] = group;
  }
  return { feeds, countries, levels, groups, groupOf };
}

/** More than there are feeds or countries. */
const MAX_KEYS = 1 << 20;

/** Counts networks and their address space. */
export class Extent {
  #networks = 0;
  readonly #addresses = new AddressCount();

  add(address: Uint32Array, length: number): void {
    this.#networks++;
    this.#addresses.addNetwork(address, length);
  }

  /** Adds `count` networks of one family, with `length` bits in the 128-bit space. */
  addNetworks(count: number, length: number, family: Family): void {
    this.#networks += count;
    this.#addresses.add(length, family, count);
  }

  figures(): Coverage {
    const { ipv4Addresses, ipv6Slash64s } = this.#addresses;
    return { networks: this.#networks, ipv4Addresses, ipv6Slash64s };
  }
}

/** One extent per distinct key, by number. */
class Extents {
  readonly #numbers = new Map<string, number>();
  readonly #extents: Extent[] = [];

  numberOf(key: string): number {
    let number = this.#numbers.get(key);
    if (number === undefined) {
      this.#numbers.set(key, (number = this.#extents.length));
      this.#extents.push(new Extent());
    }
    return number;
  }

  at(number: number): Extent {
    return this.#extents[number]!;
  }

  figures(): Record<string, Coverage> {
    const sorted = [...this.#numbers].sort(([a], [b]) => (a < b ? -1 : 1));
    return Object.fromEntries(sorted.map(([key, number]) => [key, this.at(number).figures()]));
  }
}
