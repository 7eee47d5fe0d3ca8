import type { ListSink } from '../list.js';
import { PrefixTexts } from '../prefix-texts.js';

/** Inserts single addresses given as text into a sink. */
export class SingleAddresses {
  readonly #sink: ListSink;
  readonly #prefixes: PrefixTexts;

  constructor(sink: ListSink, layer = 0) {
    this.#sink = sink;
    this.#prefixes = new PrefixTexts(sink, layer);
  }

  /** Inserts an address. Rejects other texts with `row.excerpt`, also prefixes, which cover more than one address. */
  add(text: string, claimId: number, row: { readonly position: number; readonly excerpt?: string }): void {
    if (text.includes('/')) this.#sink.reject('address', row.position, row.excerpt ?? text);
    else this.#prefixes.add(text, claimId, row);
  }
}
