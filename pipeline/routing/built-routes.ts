import type { RecordBuilder } from '../mmdb/record-builder.js';
import type { MapSchema } from '../mmdb/schema.js';
import { formatPrefix } from '../net/prefix.js';
import { RPKI_STATES } from '../registry/registries.js';
import type { NetworkDirectory } from './parts.js';
import { RunCache } from './route-lists.js';
import { originAt, upstreamAt } from './route-chains.js';
import { ROUTE_SCHEMA } from './route-schema.js';
import type { RouteTable } from './route-table.js';

/** Builds the records that `RouteChains` returns, without an object per route. */
export class BuiltRoutes {
  readonly #routes: RouteTable;
  readonly #directory: NetworkDirectory;
  readonly builder: RecordBuilder;
  /** The numbers of routes as parents; 0 while unknown. */
  readonly #parents: Uint32Array;
  readonly #origins: RunCache<number>;
  readonly #upstreams: RunCache<number>;
  readonly #ases = new Map<number, AsNumbers>();

  constructor(routes: RouteTable, directory: NetworkDirectory, builder: RecordBuilder) {
    this.#routes = routes;
    this.#directory = directory;
    this.builder = builder;
    this.#parents = new Uint32Array(routes.count);
    const { originAsns, originPeers, originRpki, upstreamAsns, upstreamCounts } = routes;
    this.#origins = new RunCache([originAsns, originPeers, originRpki], (start, length) => {
      const list = Array.from({ length }, (_, i) => originAt(routes, start + i));
      return builder.partOf(list, ROUTE_SCHEMA, 'origins');
    });
    this.#upstreams = new RunCache([upstreamAsns, upstreamCounts], (start, length) => {
      const list = Array.from({ length }, (_, i) => upstreamAt(routes, start + i));
      return builder.partOf(list, ROUTE_SCHEMA, 'upstreams');
    });
  }

  /** Starts the map of a route with all its fields; `line` replaces its own. Builds its covering routes before. */
  start(route: number, schema: MapSchema, line = this.#directory.lineOf(this.#routes, route)): void {
    const builder = this.builder;
    const { addresses, lengths, parents, upstreamStarts } = this.#routes;
    const parent = parents[route]!;
    const parentPart = parent >= 0 ? this.#partOf(parent) : NO_PART;
    const upstreams = partIn(this.#upstreams, upstreamStarts, route);
    const origins = this.#originsOf(route);
    builder.start(schema);
    const prefix = formatPrefix(addresses.subarray(4 * route, 4 * route + 4), lengths[route]!);
    builder.addPart(FIELD.prefix, builder.textOf(prefix));
    if (origins) this.#addOrigins(origins);
    if (upstreams !== NO_PART) builder.addPart(FIELD.upstreams, upstreams);
    if (origins) this.#addPresent(FIELD.neighbours, origins.as.neighbours);
    if (line !== undefined) builder.addPart(FIELD.line, builder.textOf(line));
    this.#addPresent(FIELD.parent, parentPart);
  }

  #partOf(route: number): number {
    let part = this.#parents[route]!;
    if (part === NO_PART) {
      this.start(route, ROUTE_SCHEMA);
      this.#parents[route] = part = this.builder.finish();
    }
    return part;
  }

  #originsOf(route: number): Origins | undefined {
    const { originStarts, originAsns, originRpki } = this.#routes;
    const part = partIn(this.#origins, originStarts, route);
    if (part === NO_PART) return undefined;
    const first = originStarts[route]!;
    const asn = originAsns[first]!;
    return { part, asn, rpki: RPKI_STATES[originRpki[first]!], as: this.#asOf(asn) };
  }

  #addOrigins({ part, asn, rpki, as }: Origins): void {
    const builder = this.builder;
    builder.addScalar(FIELD.origin, 'uint32', asn);
    builder.addPart(FIELD.origins, part);
    if (rpki !== undefined) builder.addPart(FIELD.rpki, builder.textOf(rpki));
    this.#addPresent(FIELD.as_name, as.name);
    this.#addPresent(FIELD.as_country, as.country);
  }

  #addPresent(field: number, part: number): void {
    if (part !== NO_PART) this.builder.addPart(field, part);
  }

  #asOf(asn: number): AsNumbers {
    let numbers = this.#ases.get(asn);
    if (numbers === undefined) {
      const builder = this.builder;
      const { name, country } = this.#directory.identityOf(asn);
      const neighbours = this.#directory.neighboursOf(asn);
      numbers = {
        name: name === undefined ? NO_PART : builder.textOf(name),
        country: country === undefined ? NO_PART : builder.textOf(country),
        neighbours:
          neighbours.length === 0 ? NO_PART : builder.partOf(neighbours, ROUTE_SCHEMA, 'neighbours'),
      };
      this.#ases.set(asn, numbers);
    }
    return numbers;
  }
}

/** The numbers of the fields that all routes of an AS share; NO_PART for absent ones. */
interface AsNumbers {
  readonly name: number;
  readonly country: number;
  readonly neighbours: number;
}

/** The list of origins, and facts of the first one. */
interface Origins {
  readonly part: number;
  readonly asn: number;
  readonly rpki: string | undefined;
  readonly as: AsNumbers;
}

/** Returns the number of list `route`; NO_PART for an empty list. */
function partIn(lists: RunCache<number>, starts: Uint32Array, route: number): number {
  const start = starts[route]!;
  const length = starts[route + 1]! - start;
  return length === 0 ? NO_PART : lists.of(start, length);
}

/** Instead of a number for an absent field. */
const NO_PART = 0;

/** The positions of the fields in ROUTE_SCHEMA and ROUTES_SCHEMA. */
const FIELD = {
  ...{ prefix: 0, origin: 1, origins: 2, rpki: 3, as_name: 4 },
  ...{ as_country: 5, upstreams: 6, neighbours: 7, line: 8, parent: 9 },
} as const;
