import { PrefixBuffer, type Prefix } from '../net/prefix.js';
import type { ListSink } from './list.js';

/** Inserts prefixes given as text into a sink, with one buffer for all of them. */
export class PrefixTexts {
  readonly #prefix = new PrefixBuffer();

  constructor(
    readonly sink: ListSink,
    readonly layer = 0,
  ) {}

  /**
   * Inserts `address[/length]`, ignoring spaces and invisible characters in it. Rejects other texts with `excerpt`.
   * Returns whether the text was a prefix.
   */
  add(
    text: string,
    claimId: number,
    { position, excerpt = text }: { readonly position: number; readonly excerpt?: string },
  ): boolean {
    if (!this.#prefix.parse(text) && !this.#prefix.parse(text.replace(INVISIBLE, ''))) {
      this.sink.reject('address', position, excerpt);
      return false;
    }
    this.sink.prefix(this.layer, this.#prefix, claimId, position);
    return true;
  }

  /** The prefix added last. Changed by the next call of `add`. */
  get last(): Prefix {
    return this.#prefix;
  }
}

/** White space, zero-width characters (U+200B to U+200D) and the byte order mark. */
const INVISIBLE = /[\s\u200b-\u200d\ufeff]/gu;
