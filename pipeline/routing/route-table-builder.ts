import { Uint32Column } from '../table/slots.js';
import type { AsTally } from './as-tally.js';
import type { RouteTable } from './route-table.js';

/** Builds a RouteTable. Routes must be added in address order, covering prefixes first. */
export class RouteTableBuilder {
  #count = 0;
  readonly #addresses: Uint32Array;
  readonly #lengths: Uint8Array;
  readonly #parents: Int32Array;
  readonly #peers: Uint32Array;
  readonly #originStarts: Uint32Array;
  readonly #upstreamStarts: Uint32Array;
  readonly #originAsns = new Uint32Column();
  readonly #originPeers = new Uint32Column();
  readonly #originRpki = new Uint32Column();
  readonly #upstreamAsns = new Uint32Column();
  readonly #upstreamCounts = new Uint32Column();

  constructor(
    /** The maximum number of routes. */
    capacity: number,
  ) {
    this.#addresses = new Uint32Array(4 * capacity);
    this.#lengths = new Uint8Array(capacity);
    this.#parents = new Int32Array(capacity);
    this.#peers = new Uint32Array(capacity);
    this.#originStarts = new Uint32Array(capacity + 1);
    this.#upstreamStarts = new Uint32Array(capacity + 1);
  }

  /** Starts a route; its origins and upstreams follow. */
  addRoute(address: Uint32Array, length: number, peers: number): void {
    const route = this.#count++;
    this.#addresses.set(address, 4 * route);
    this.#lengths[route] = length;
    this.#peers[route] = peers;
    this.#parents[route] = this.#parentOf(route);
    this.#originStarts[route + 1] = this.#originStarts[route]!;
    this.#upstreamStarts[route + 1] = this.#upstreamStarts[route]!;
  }

  /** Adds an origin to the last route; `rpki` is the position of its state in RPKI_STATES, or NOT_JUDGED. */
  addOrigin(asn: number, peers: number, rpki: number): void {
    push(this.#originAsns, asn);
    push(this.#originPeers, peers);
    push(this.#originRpki, rpki);
    this.#originStarts[this.#count]!++;
  }

  /** Adds the upstreams of the last route, sorted. */
  addUpstreams({ asns, counts, length }: AsTally): void {
    for (let i = 0; i < length; i++) {
      push(this.#upstreamAsns, asns[i]!);
      push(this.#upstreamCounts, counts[i]!);
    }
    this.#upstreamStarts[this.#count]! += length;
  }

  /** Returns the table. The builder must not be used afterwards. */
  build(): RouteTable {
    const count = this.#count;
    return {
      count,
      addresses: this.#addresses.slice(0, 4 * count),
      lengths: this.#lengths.slice(0, count),
      parents: this.#parents.slice(0, count),
      peers: this.#peers.slice(0, count),
      originStarts: this.#originStarts.slice(0, count + 1),
      originAsns: valuesOf(this.#originAsns),
      originPeers: valuesOf(this.#originPeers),
      originRpki: Uint8Array.from(valuesOf(this.#originRpki)),
      upstreamStarts: this.#upstreamStarts.slice(0, count + 1),
      upstreamAsns: valuesOf(this.#upstreamAsns),
      upstreamCounts: valuesOf(this.#upstreamCounts),
    };
  }

  /** The parent is the previous route or one of its parents, because routes are in address order. */
  #parentOf(route: number): number {
    let parent = route - 1;
    while (parent >= 0 && !this.#covers(parent, route)) parent = this.#parents[parent]!;
    return parent;
  }

  #covers(outer: number, inner: number): boolean {
    const length = this.#lengths[outer]!;
    if (length >= this.#lengths[inner]!) return false;
    const addresses = this.#addresses;
    for (let word = 0; 32 * word < length; word++) {
      const differing = addresses[4 * outer + word]! ^ addresses[4 * inner + word]!;
      if (differing !== 0) return 32 * word + Math.clz32(differing) >= length;
    }
    return true;
  }
}

/** Returns a table without routes. */
export function noRoutes(): RouteTable {
  return new RouteTableBuilder(0).build();
}

function push(column: Uint32Column, value: number): void {
  if (column.length === column.values.length) column.reserve(1);
  column.values[column.length++] = value;
}

function valuesOf({ values, length }: Uint32Column): Uint32Array {
  return values.slice(0, length);
}
