import type { Coverage } from '../release/contract.js';
import { AddressCount } from '../table/address-count.js';
import type { FlatTable } from '../table/flat-table.js';

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

/**
 * Counts every network once. `origins[id]` belongs to record `id`; unknown feeds and countries count as `none`. Without
 * `origins` only the total is counted.
 */
export function measureCoverage(table: FlatTable, origins?: readonly Origin[]): CoverageFigures {
  const all = new Extent();
  if (!origins) {
    table.forEach((address, length) => {
      all.add(address, length);
    });
    return { coverage: all.figures(), coverageByFeed: {}, coverageByCountry: {} };
  }
  const byFeed = new Extents(origins.map((origin) => origin.decidedBy ?? 'none'));
  const byCountry = new Extents(origins.map((origin) => origin.country ?? 'none'));
  table.forEach((address, length, id) => {
    all.add(address, length);
    byFeed.of(id).add(address, length);
    byCountry.of(id).add(address, length);
  });
  return {
    coverage: all.figures(),
    coverageByFeed: byFeed.figures(),
    coverageByCountry: byCountry.figures(),
  };
}

/** Counts networks and their address space. */
export class Extent {
  #networks = 0;
  readonly #addresses = new AddressCount();

  add(address: Uint32Array, length: number): void {
    this.#networks++;
    this.#addresses.addNetwork(address, length);
  }

  figures(): Coverage {
    const { ipv4Addresses, ipv6Slash64s } = this.#addresses;
    return { networks: this.#networks, ipv4Addresses, ipv6Slash64s };
  }
}

/** One extent per distinct key, found by record id through an array. */
class Extents {
  readonly #byKey = new Map<string, Extent>();
  readonly #byRecord: readonly Extent[];

  constructor(keys: readonly string[]) {
    this.#byRecord = keys.map((key) => {
      const held = this.#byKey.get(key) ?? new Extent();
      this.#byKey.set(key, held);
      return held;
    });
  }

  of(recordId: number): Extent {
    return this.#byRecord[recordId]!;
  }

  figures(): Record<string, Coverage> {
    const sorted = [...this.#byKey].sort(([a], [b]) => (a < b ? -1 : 1));
    return Object.fromEntries(sorted.map(([key, extent]) => [key, extent.figures()]));
  }
}
