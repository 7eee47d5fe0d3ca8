import type { ListSink } from '../lists/list.js';
import { PrefixTexts } from '../lists/prefix-texts.js';

/** Puts rows that are single addresses in text into a sink. */
export class SingleAddresses {
  readonly #sink: ListSink;
  readonly #prefixes: PrefixTexts;

  constructor(sink: ListSink, layer = 0) {
    this.#sink = sink;
    this.#prefixes = new PrefixTexts(sink, layer);
  }

  /** Inserts an address; rejects what is none with this excerpt: a prefix stands for more than was meant. */
  add(text: string, claimId: number, row: { readonly position: number; readonly excerpt?: string }): void {
    if (text.includes('/')) this.#sink.reject('address', row.position, row.excerpt ?? text);
    else this.#prefixes.add(text, claimId, row);
  }
}
