import { z } from 'zod';
import type { PeeringIndex } from '../../pipeline/release/contract.js';

/** `data` of the search: networks and facilities, at most 20 of each. */
export const foundSchema = z.strictObject({
  nets: z.array(
    z.strictObject({
      asn: z.int().nonnegative(),
      name: z.string(),
      aka: z.string(),
      info_type: z.string(),
    }),
  ),
  facs: z.array(
    z.strictObject({ id: z.int().nonnegative(), name: z.string(), city: z.string(), country: z.string() }),
  ),
});
export type Found = z.infer<typeof foundSchema>;

/** Hits in each of the two lists. */
export const MAX_HITS = 20;

/** One release's networks and facilities, searched by AS number or by a part of a name, whatever its case (ruling 38). */
export class PeeringSearch {
  readonly #index: PeeringIndex;
  readonly #nets: TextIndex;
  readonly #facs: TextIndex;
  readonly #netOfAsn: ReadonlyMap<number, number>;

  constructor(index: PeeringIndex) {
    this.#index = index;
    this.#nets = new TextIndex(index.nets.map(({ name, aka }) => `${name}\t${aka ?? ''}`));
    this.#facs = new TextIndex(index.facs.map(({ name }) => name));
    this.#netOfAsn = new Map(index.nets.map(({ asn }, position) => [asn, position]));
  }

  /** `query` is trimmed. The network of that number comes first, then names in the order of the index. */
  find(query: string): Found {
    const number = /^(?:as)?(\d{1,10})$/i.exec(query)?.[1];
    const byNumber = number === undefined ? undefined : this.#netOfAsn.get(Number(number));
    const byName = this.#nets.positionsOf(query).filter((position) => position !== byNumber);
    const nets = byNumber === undefined ? byName : [byNumber, ...byName];
    return {
      nets: nets.slice(0, MAX_HITS).map((position) => {
        const { asn, name, aka, info_type } = this.#index.nets[position]!;
        return { asn, name, aka: aka ?? '', info_type: info_type ?? '' };
      }),
      facs: this.#facs.positionsOf(query).map((position) => {
        const { id, name, city, country } = this.#index.facs[position]!;
        return { id, name, city: city ?? '', country: country ?? '' };
      }),
    };
  }
}

/** All texts as one, a line each, so that a search is one scan. */
class TextIndex {
  readonly #text: string;
  /** Where each line starts, ascending. */
  readonly #starts: Uint32Array;

  constructor(texts: readonly string[]) {
    const lines = texts.map((text) => folded(text.replace(/[\r\n]+/g, ' ')));
    this.#text = lines.join('\n');
    this.#starts = new Uint32Array(lines.length);
    let start = 0;
    lines.forEach((line, position) => {
      this.#starts[position] = start;
      start += line.length + 1;
    });
  }

  /** Positions of the first lines that hold the text. */
  positionsOf(query: string): number[] {
    const wanted = folded(query.replace(/\s+/g, ' '));
    const positions: number[] = [];
    if (wanted === '') return positions;
    let at = this.#text.indexOf(wanted);
    while (at >= 0 && positions.length < MAX_HITS) {
      const position = this.#lineAt(at);
      positions.push(position);
      const next = this.#starts[position + 1];
      at = next === undefined ? -1 : this.#text.indexOf(wanted, next);
    }
    return positions;
  }

  #lineAt(at: number): number {
    let low = 0;
    let high = this.#starts.length - 1;
    while (low < high) {
      const middle = (low + high + 1) >>> 1;
      if (this.#starts[middle]! <= at) low = middle;
      else high = middle - 1;
    }
    return low;
  }
}

/** Without case and diacritics. */
function folded(text: string): string {
  return text.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase();
}
