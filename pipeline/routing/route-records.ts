import type { Draft } from '../mmdb/present.js';
import type { RecordBuilder } from '../mmdb/record-builder.js';
import type { RecordList } from '../mmdb/write.js';
import { allocationsTable } from '../registry/allocations-table.js';
import { FlatTable } from '../table/flat-table.js';
import { Uint32Column } from '../table/slots.js';
import { ABSENT, zip } from '../table/zip.js';
import { AllocationRecords, type AllocationRecord } from './allocation-records.js';
import { BuiltRoutes } from './built-routes.js';
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
    buildWith: (builder) => new BuiltRoutes(routes, directory, builder),
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
  /** Returns the same routes for `build`. */
  readonly buildWith: (builder: RecordBuilder) => BuiltRoutes;
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

  #built: BuiltRoutes | undefined;

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

  /** Makes the record of `at` without an object for its route. */
  readonly build = (id: number, builder: RecordBuilder): number => {
    const { values } = this.#positions;
    const at = WIDTH * id;
    const allocation = this.#allocationAt(values[at + 1]!);
    const exchange = this.#sources.exchanges[values[at + 2]!];
    const line = this.#sources.lines[values[at + 3]!];
    const allocated = allocation && builder.partOf(allocation, ROUTES_SCHEMA, 'allocation');
    const exchanged = exchange && builder.partOf(exchange, ROUTES_SCHEMA, 'exchange');
    this.#startRoute(values[at]!, line, builder);
    if (allocated !== undefined) builder.addPart(FIELDS.allocation, allocated);
    if (exchanged !== undefined) builder.addPart(FIELDS.exchange, exchanged);
    return builder.finishRecord();
  };

  #startRoute(route: number, line: string | undefined, builder: RecordBuilder): void {
    if (route !== NOWHERE) {
      if (this.#built?.builder !== builder) this.#built = this.#sources.buildWith(builder);
      this.#built.start(route, ROUTES_SCHEMA, line);
      return;
    }
    builder.start(ROUTES_SCHEMA);
    if (line !== undefined) builder.addPart(FIELDS.line, builder.textOf(line));
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

/** The positions of fields in ROUTES_SCHEMA. */
const FIELDS = { line: 8, allocation: 10, exchange: 11 } as const;
