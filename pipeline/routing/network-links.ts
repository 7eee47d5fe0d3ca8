import type { Links } from '../bgp/topology.js';
import { RowsByNetwork } from './network-numbers.js';

/** The links of every AS, by number of the link: the most powerful first, ties by the lower number of the other AS. */
export class NetworkLinks {
  readonly #byNetwork: RowsByNetwork;

  constructor(readonly links: Links) {
    const { left, right, power } = links;
    const ends = new Uint32Array(2 * left.length);
    const rows = new Uint32Array(2 * left.length);
    for (let link = 0; link < left.length; link++) {
      ends[2 * link] = left[link]!;
      ends[2 * link + 1] = right[link]!;
      rows[2 * link] = rows[2 * link + 1] = link;
    }
    this.#byNetwork = new RowsByNetwork(ends, rows);
    for (const asn of this.asns) {
      // The sum of both ends tells the other ends apart: one end is the same in all of them.
      this.linksOf(asn).sort(
        (a, b) => power[b]! - power[a]! || left[a]! + right[a]! - (left[b]! + right[b]!),
      );
    }
  }

  /** AS numbers that have links, ascending. */
  get asns(): Uint32Array {
    return this.#byNetwork.asns;
  }

  linksOf(asn: number): Uint32Array {
    return this.#byNetwork.rowsOf(asn);
  }

  /** The AS at the other end of one of its links. */
  otherEnd(link: number, asn: number): number {
    const { left, right } = this.links;
    return left[link] === asn ? right[link]! : left[link]!;
  }
}
