import assert from 'node:assert';
import { commonBits, type Address } from '../net/address.js';
import { parsePrefix, type Prefix } from '../net/prefix.js';
import { CARRIER_TABLE, type CarrierTable } from './carrier-table.js';
import type { RouteTable } from './route-table.js';

/** Says which carrier line a route is: what the table tells about its space, else about its origin, else its upstream. */
export class CarrierLines {
  readonly #byAsn: ReadonlyMap<number, string>;
  /** The longest first. */
  readonly #overlay: readonly (Prefix & { readonly line: string })[];

  constructor({ networks, overlay }: CarrierTable = CARRIER_TABLE) {
    this.#byAsn = new Map(networks.map(({ asn, line }) => [asn, line]));
    this.#overlay = overlay
      .map(({ prefix: text, line }) => {
        const prefix = parsePrefix(text);
        assert(prefix, `carrier overlay ${text}`);
        return { ...prefix, line };
      })
      .sort((a, b) => b.length - a.length);
  }

  /** The line of a route, `route` by position in the table; absent when it is none that is known. */
  lineOf(routes: RouteTable, route: number): string | undefined {
    const { addresses, lengths, originStarts, originAsns, upstreamStarts, upstreamAsns } = routes;
    const address = addresses.subarray(4 * route, 4 * route + 4);
    return (
      this.lineOfSpace(address, lengths[route]!) ??
      this.#lineOfFirst(originAsns, originStarts, route) ??
      this.#lineOfFirst(upstreamAsns, upstreamStarts, route)
    );
  }

  /** The line of the longest prefix of the overlay that covers all of a prefix; `length` in bits of the 128-bit space. */
  lineOfSpace(address: Address, length: number): string | undefined {
    for (const prefix of this.#overlay) {
      if (prefix.length <= length && commonBits(prefix.address, address) >= prefix.length) return prefix.line;
    }
    return undefined;
  }

  /** Primary origins and upstreams with the most paths stand first in their lists. */
  #lineOfFirst(asns: Uint32Array, starts: Uint32Array, route: number): string | undefined {
    const first = starts[route]!;
    return first < starts[route + 1]! ? this.#byAsn.get(asns[first]!) : undefined;
  }
}
