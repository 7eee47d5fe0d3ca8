import type { Coverage } from '../release/contract.js';
import { AddressCount } from '../table/address-count.js';
import type { FlatTable } from '../table/flat-table.js';

/** Whose word a record is, and on which country; either may not be known. */
export interface Origin {
  readonly country?: string | undefined;
  readonly decidedBy?: string | undefined;
}

/** How much of the address space a table answers for: in all, by deciding feed, by country. */
export interface CoverageFigures {
  readonly coverage: Coverage;
  readonly coverageByFeed: Record<string, Coverage>;
  readonly coverageByCountry: Record<string, Coverage>;
}

/**
 * Counts every network once; `origins[id]` belongs to record `id`. What is not known goes under `none`. Without
 * origins nothing is counted by feed and country.
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

/** How much space some networks are. */
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

/** One extent per distinct key; record ids find theirs through an array. */
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
