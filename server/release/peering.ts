import { setImmediate as nextTurn } from 'node:timers/promises';
import { z } from 'zod';
import { peeringIndexSchema, type PeeringIndex } from '../../pipeline/release/contract.js';
import { freezeDeep } from './record-cache.js';
import type { PeeringSearch } from './snapshot.js';

/** Limit of results in each of the two lists. */
export const MAX_HITS = 20;

/** Entries processed in one turn of the event loop, which takes some milliseconds. */
const ENTRIES_A_TURN = 1000;

const listsSchema = z.strictObject({ nets: z.array(z.unknown()), facs: z.array(z.unknown()) });

/**
 * Reads `peering.json`, some 40,000 entries. Requests are answered between parts of the work. Throws SyntaxError or
 * ZodError when the bytes are not a peering index.
 */
export async function readPeering(bytes: Buffer): Promise<PeeringSearch> {
  const lists = listsSchema.parse(JSON.parse(bytes.toString('utf8')));
  const index: PeeringIndex = { nets: [], facs: [] };
  for (const name of ['nets', 'facs'] as const) {
    for (let from = 0; from < lists[name].length; from += ENTRIES_A_TURN) {
      await nextTurn();
      const part = { nets: [], facs: [], [name]: lists[name].slice(from, from + ENTRIES_A_TURN) };
      const { nets, facs } = freezeDeep(peeringIndexSchema.parse(part));
      index.nets.push(...nets);
      index.facs.push(...facs);
    }
  }
  return await IndexedPeering.of(freezeDeep(index));
}

/** A searchable index of networks and facilities. */
export class IndexedPeering implements PeeringSearch {
  readonly #netOfAsn = new Map<number, number>();
  readonly #nets = new TextIndex();
  readonly #facs = new TextIndex();

  private constructor(private readonly index: PeeringIndex) {}

  /** Indexes networks and facilities, in parts between which requests are answered. `index` is not copied. */
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
    // The first search flattens the concatenated string, which takes some milliseconds.
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

/** Texts concatenated, one per line: a search is a single scan. */
class TextIndex {
  #text = '';
  /** Offset of each line, ascending. */
  readonly #starts: number[] = [];

  add(text: string): void {
    if (this.#starts.length > 0) this.#text += '\n';
    this.#starts.push(this.#text.length);
    this.#text += folded(text.replace(/[\r\n]+/g, ' '));
  }

  /** Returns the positions of the first MAX_HITS lines that contain the text. */
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

/** Removes case and diacritics. */
function folded(text: string): string {
  return text.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase();
}
