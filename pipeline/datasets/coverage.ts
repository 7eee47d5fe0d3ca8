import type { Coverage } from '../release/contract.js';
import { newAddress, type Family } from '../net/address.js';
import { AddressCount } from '../table/address-count.js';
import type { FlatTable } from '../table/flat-table.js';
import { countNetworks } from '../table/network-counts.js';

/** The deciding feed and the country of a record; absent if unknown. */
export interface Origin {
  readonly country?: string | undefined;
  readonly decidedBy?: string | undefined;
}

/** Address space in a table: in total, by deciding feed, and by country. */
export interface CoverageFigures {
  readonly coverage: Coverage;
  readonly coverageByFeed: Record<string, Coverage>;
  readonly coverageByCountry: Record<string, Coverage>;
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
  const { feeds, countries, pairs, pairOf } = pairsOf(origins);
  const counts = countNetworks(table, Math.max(1, pairs.length), pairOf);
  const extentsOf = (group: number): readonly Extent[] => [all, ...(pairs[group] ?? [])];
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
  };
}

/** The distinct pairs of a feed and a country, and the pair of each record. */
function pairsOf(origins: OriginList | undefined) {
  const [feeds, countries] = [new Extents(), new Extents()];
  const numbers = new Map<number, number>();
  const pairs: (readonly [Extent, Extent])[] = [];
  const pairOf = origins && new Uint32Array(origins.length);
  for (let id = 0; id < (origins?.length ?? 0); id++) {
    const origin = origins!.at(id)!;
    const feed = feeds.numberOf(origin.decidedBy ?? 'none');
    const country = countries.numberOf(origin.country ?? 'none');
    const key = feed * MAX_KEYS + country;
    let pair = numbers.get(key);
    if (pair === undefined) {
      numbers.set(key, (pair = pairs.length));
      pairs.push([feeds.at(feed), countries.at(country)]);
    }
    pairOf![id] = pair;
  }
  return { feeds, countries, pairs, pairOf };
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
