import type { Links } from '../bgp/topology.js';
import { RowsByNetwork } from './network-numbers.js';

/** The link numbers of every AS, sorted by descending power, then by ascending number of the other AS. */
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
      // One end is the same AS in all links, so comparing the sums of both ends compares the other ends.
      this.linksOf(asn).sort(
        (a, b) => power[b]! - power[a]! || left[a]! + right[a]! - (left[b]! + right[b]!),
      );
    }
  }

  /** The AS numbers with links, ascending. */
  get asns(): Uint32Array {
    return this.#byNetwork.asns;
  }

  linksOf(asn: number): Uint32Array {
    return this.#byNetwork.rowsOf(asn);
  }

  /** Returns the AS at the other end of a link of `asn`. */
  otherEnd(link: number, asn: number): number {
    const { left, right } = this.links;
    return left[link] === asn ? right[link]! : left[link]!;
  }
}
