import { setImmediate as nextTurn } from 'node:timers/promises';
import type { PeeringIndex } from '../../pipeline/release/contract.js';
import type { PeeringSearch } from './snapshot.js';

/** Hits in each of the two lists. */
export const MAX_HITS = 20;

/** Entries whose names are made ready in one turn of the event loop: some milliseconds. */
const ENTRIES_A_TURN = 1000;

/** An index of networks and facilities, ready to be searched. */
export class IndexedPeering implements PeeringSearch {
  readonly #netOfAsn = new Map<number, number>();
  readonly #nets = new TextIndex();
  readonly #facs = new TextIndex();

  private constructor(private readonly index: PeeringIndex) {}

  /** Makes an index ready; requests are answered between parts of the work. The index is not copied. */
  static async of(index: PeeringIndex): Promise<IndexedPeering> {
    const search = new IndexedPeering(index);
    await inTurns(index.nets, ({ asn, name, aka }, position) => {
      search.#netOfAsn.set(asn, position);
      search.#nets.add(`${name}\t${aka ?? ''}`);
    });
    await inTurns(index.facs, ({ name }) => {
      search.#facs.add(name);
    });
    await nextTurn();
    // The first search makes one flat string out of the many, which takes some milliseconds.
    search.find('flat');
    return search;
  }

  find(query: string): PeeringIndex {
    const number = /^(?:as)?(\d{1,10})$/i.exec(query)?.[1];
    const byNumber = number === undefined ? undefined : this.#netOfAsn.get(Number(number));
    const byName = this.#nets.positionsOf(query).filter((position) => position !== byNumber);
    const nets = byNumber === undefined ? byName : [byNumber, ...byName];
    return {
      nets: nets.slice(0, MAX_HITS).map((position) => this.index.nets[position]!),
      facs: this.#facs.positionsOf(query).map((position) => this.index.facs[position]!),
    };
  }
}

async function inTurns<Entry>(
  entries: readonly Entry[],
  visit: (entry: Entry, position: number) => void,
): Promise<void> {
  for (let position = 0; position < entries.length; position++) {
    if (position % ENTRIES_A_TURN === 0) await nextTurn();
    visit(entries[position]!, position);
  }
}

/** Texts as one, a line each, so that a search is one scan. */
class TextIndex {
  #text = '';
  /** Where each line starts, ascending. */
  readonly #starts: number[] = [];

  add(text: string): void {
    if (this.#starts.length > 0) this.#text += '\n';
    this.#starts.push(this.#text.length);
    this.#text += folded(text.replace(/[\r\n]+/g, ' '));
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
