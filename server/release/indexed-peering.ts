import { setImmediate as nextTurn } from 'node:timers/promises';
import type { PeeringIndex } from '../../pipeline/release/contract.js';
import type { PeeringSearch } from './snapshot.js';

/** Hits in each of the two lists. */
export const MAX_HITS = 20;

/** Entries whose names are made ready in one turn of the event loop: some milliseconds. */
const ENTRIES_A_TURN = 1000;

/** An index of networks and facilities, ready to be searched. */
export class IndexedPeering implements PeeringSearch {
  readonly #netOfAsn: ReadonlyMap<number, number>;

  private constructor(
    private readonly index: PeeringIndex,
    private readonly texts: { readonly nets: TextIndex; readonly facs: TextIndex },
  ) {
    this.#netOfAsn = new Map(index.nets.map(({ asn }, position) => [asn, position]));
  }

  /** Makes an index ready; requests are answered between parts of the work. The index is not copied. */
  static async of(index: PeeringIndex): Promise<IndexedPeering> {
    const nets = await linesOf(index.nets, ({ name, aka }) => `${name}\t${aka ?? ''}`);
    const facs = await linesOf(index.facs, ({ name }) => name);
    await nextTurn();
    return new IndexedPeering(index, { nets: new TextIndex(nets), facs: new TextIndex(facs) });
  }

  find(query: string): PeeringIndex {
    const number = /^(?:as)?(\d{1,10})$/i.exec(query)?.[1];
    const byNumber = number === undefined ? undefined : this.#netOfAsn.get(Number(number));
    const byName = this.texts.nets.positionsOf(query).filter((position) => position !== byNumber);
    const nets = byNumber === undefined ? byName : [byNumber, ...byName];
    return {
      nets: nets.slice(0, MAX_HITS).map((position) => this.index.nets[position]!),
      facs: this.texts.facs.positionsOf(query).map((position) => this.index.facs[position]!),
    };
  }
}

/** What is searched of each entry, folded. */
async function linesOf<Entry>(
  entries: readonly Entry[],
  textOf: (entry: Entry) => string,
): Promise<string[]> {
  const lines: string[] = [];
  for (let from = 0; from < entries.length; from += ENTRIES_A_TURN) {
    await nextTurn();
    for (const entry of entries.slice(from, from + ENTRIES_A_TURN)) {
      lines.push(folded(textOf(entry).replace(/[\r\n]+/g, ' ')));
    }
  }
  return lines;
}

/** Folded lines as one text, so that a search is one scan. */
class TextIndex {
  readonly #text: string;
  /** Where each line starts, ascending. */
  readonly #starts: Uint32Array;

  constructor(lines: readonly string[]) {
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
