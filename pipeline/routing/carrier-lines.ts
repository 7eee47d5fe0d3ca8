import assert from 'node:assert';
import { commonBits, type Address } from '../net/address.js';
import { parsePrefix, type Prefix } from '../net/prefix.js';
import { CARRIER_TABLE, type CarrierTable } from './carrier-table.js';
import type { RouteTable } from './route-table.js';

/** Finds the carrier line of a route in the table: by its address space, else by its origin, else by its upstream. */
export class CarrierLines {
  readonly #byAsn: ReadonlyMap<number, string>;
  /** The longest prefix first. */
  readonly #overlay: readonly (Prefix & { readonly line: string })[];

  constructor({ networks, overlay }: CarrierTable = CARRIER_TABLE) {
    this.#byAsn = new Map(networks.map(({ asn, line }) => [asn, line]));
    this.#overlay = overlay
      .map(({ prefix: text, line }) => {
        const prefix = parsePrefix(text);
        assert(prefix, `carrier overlay: invalid prefix "${text}"`);
        return { ...prefix, line };
      })
      .sort((a, b) => b.length - a.length);
  }

  /** Returns the line of the route at a position of the table; undefined if it has none. */
  lineOf(routes: RouteTable, route: number): string | undefined {
    const { addresses, lengths, originStarts, originAsns, upstreamStarts, upstreamAsns } = routes;
    const address = addresses.subarray(4 * route, 4 * route + 4);
    return (
      this.lineOfSpace(address, lengths[route]!) ??
      this.#lineOfFirst(originAsns, originStarts, route) ??
      this.#lineOfFirst(upstreamAsns, upstreamStarts, route)
    );
  }

  /** Returns the line of the longest overlay prefix that covers a prefix; `length` is in bits of the 128-bit space. */
  lineOfSpace(address: Address, length: number): string | undefined {
    for (const prefix of this.#overlay) {
      if (prefix.length <= length && commonBits(prefix.address, address) >= prefix.length) return prefix.line;
    }
    return undefined;
  }

  /** The first AS is the primary origin, or the upstream with the most paths. */
  #lineOfFirst(asns: Uint32Array, starts: Uint32Array, route: number): string | undefined {
    const first = starts[route]!;
    return first < starts[route + 1]! ? this.#byAsn.get(asns[first]!) : undefined;
  }
}
