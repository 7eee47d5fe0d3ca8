import type { Draft } from '../mmdb/present.js';
import type { RecordList } from '../mmdb/write.js';
import { allocationsTable } from '../registry/allocations-table.js';
import { FlatTable } from '../table/flat-table.js';
import { Uint32Column } from '../table/slots.js';
import { ABSENT, zip } from '../table/zip.js';
import { AllocationRecords, type AllocationRecord } from './allocation-records.js';
import { overlayNetworks } from './carrier-overlay.js';
import type { NetworkDirectory, RoutingDataset, RoutingParts } from './parts.js';
import { RouteChains } from './route-chains.js';
import { exchangeNetworks, type ExchangeNetworks } from './route-exchanges.js';
import { routeNetworks } from './route-networks.js';
import { ROUTES_SCHEMA, type AddressRecord } from './route-schema.js';

/**
 * Returns `routes.mmdb`: for every address the longest route with its chain of covering routes, the delegated block,
 * the exchange with the address in its peering LAN, and the carrier line. Records are built on demand.
 */
export function routesDataset(parts: RoutingParts, directory: NetworkDirectory): RoutingDataset {
  const { routes, delegations, peeringDb } = parts;
  const exchanges = exchangeNetworks(peeringDb);
  const overlay = overlayNetworks();
  const allocations = delegations ? allocationsTable(delegations) : FlatTable.empty();
  const records = new AddressRecords({
    chains: new RouteChains(routes, directory),
    allocations: delegations && new AllocationRecords(delegations),
    exchanges: exchanges.exchanges,
    lines: overlay.lines,
  });
  const tables = [routeNetworks(routes), allocations, exchanges.table, overlay.table];
  const table = zip(tables, (ids) => records.add(ids));
  return {
    table,
    records,
    schema: ROUTES_SCHEMA,
    databaseType: 'ipatlas-Routes',
    description: { en: 'ipatlas: announced prefixes with their covering routes, and registry delegations' },
  };
}

interface RecordSources {
  readonly chains: RouteChains;
  readonly allocations: AllocationRecords | undefined;
  readonly exchanges: ExchangeNetworks['exchanges'];
  /** The lines of the static overlay. */
  readonly lines: readonly string[];
}

/** The parts of a record: positions of a route, an allocation, an exchange and an overlay line. */
const WIDTH = 4;

/** Records by the positions of their parts. */
class AddressRecords implements RecordList {
  readonly #sources: RecordSources;
  /** WIDTH positions per record; ABSENT as an unsigned 32-bit integer for a missing part. */
  readonly #positions = new Uint32Column();
  /** The last allocation: consecutive routes are often in the same block. */
  #lastAllocation: { readonly position: number; readonly record: AllocationRecord | undefined } = {
    position: NOWHERE,
    record: undefined,
  };

  constructor(sources: RecordSources) {
    this.#sources = sources;
  }

  get length(): number {
    return this.#positions.length / WIDTH;
  }

  /** Adds a record with the given positions and returns its number. */
  add(positions: Int32Array): number {
    const column = this.#positions;
    column.reserve(WIDTH);
    column.values.set(positions, column.length);
    column.length += WIDTH;
    return this.length - 1;
  }

  at(id: number): AddressRecord | undefined {
    if (id >= this.length) return undefined;
    const { values } = this.#positions;
    const { chains, exchanges, lines } = this.#sources;
    const at = WIDTH * id;
    const route = values[at]!;
    const record: Draft<AddressRecord> = route === NOWHERE ? {} : chains.at(route);
    const allocation = this.#allocationAt(values[at + 1]!);
    if (allocation) record.allocation = allocation;
    const exchange = exchanges[values[at + 2]!];
    if (exchange) record.exchange = exchange;
    const line = lines[values[at + 3]!];
    if (line !== undefined) record.line = line;
    return record;
  }

  #allocationAt(position: number): AllocationRecord | undefined {
    if (position !== this.#lastAllocation.position) {
      const record = position === NOWHERE ? undefined : this.#sources.allocations?.at(position);
      this.#lastAllocation = { position, record };
    }
    return this.#lastAllocation.record;
  }
}

const NOWHERE = ABSENT >>> 0;
